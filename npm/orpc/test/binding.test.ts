import {
  authorizeAgentProcedureBinding,
  type AgentInvocation,
  type AgentSurfaceRegistry,
} from "@agent-surface/core";
import { describe, expect, it } from "vitest";
import { bindAgentProcedure, type AgentProcedureBindingConfig } from "../src/binding.js";
import { connect, contracts, open, type Disable } from "./support/devices.js";

type Config = AgentProcedureBindingConfig<Disable, Partial<Disable>>;

/** A table that refers to `devices.disable`. */
function mount(config: Config, { app = connect(), registry = open(app), instanceId = "main" } = {}) {
  const handle = registry.register(
    authorizeAgentProcedureBinding(contracts.disable, {
      type: "devices.table",
      instanceId,
      description: "Table of devices",
      procedures: [bindAgentProcedure(app.bridge.refs.devices.disable, config)],
    }),
  );
  return { ...app, app, registry, handle, ...on(registry) };
}

function on(registry: AgentSurfaceRegistry) {
  return {
    disable: (input: AgentInvocation["input"] = {}, request: Partial<AgentInvocation> = {}) =>
      registry.invoke({ capabilityId: "domain:devices.disable", input, ...request }),
    shown: () => registry.snapshot().procedures[0],
  };
}

describe("what an agent is shown", () => {
  it("AS-BIND-001 has no field that is locked, and says which fields are bound", () => {
    const { shown } = mount({
      bind: () => ({ deviceIds: ["d1"], reason: "selected" }),
      overridableFields: ["reason"],
      describe: () => "One device is selected",
    });
    expect(shown()).toMatchObject({
      description: "Disable the given devices",
      contextualNote: "One device is selected",
      boundFields: [
        { path: "deviceIds", locked: true, source: "ui-state" },
        { path: "reason", locked: false, source: "ui-state" },
      ],
      inputSchema: { properties: { reason: { type: "string" } }, additionalProperties: false },
    });
    expect(shown()?.inputSchema).not.toHaveProperty("properties.deviceIds");
    expect(shown()?.inputSchema).not.toHaveProperty("required");
  });

  it("is unavailable for the reason that the component gives, and so is its use", async () => {
    const { shown, disable } = mount({ when: () => false, unavailableReason: () => "Select a device first" });
    expect(shown()).toMatchObject({ available: false, unavailableReason: "Select a device first" });
    expect(await disable()).toMatchObject({ error: { code: "CAPABILITY_NOT_AVAILABLE" } });
  });
});

describe("the input of a call", () => {
  it("AS-BIND-002 can't have what is locked", async () => {
    const { disable, calls } = mount({ bind: () => ({ deviceIds: ["d1"] }) });
    expect(await disable({ deviceIds: ["victim"] })).toMatchObject({
      error: { code: "INVALID_INPUT", details: { lockedFields: ["deviceIds"] } },
    });
    expect(calls).toEqual([]);
  });

  it("AS-BIND-002 is what the agent and the component say, and the agent's word counts where it may speak", async () => {
    const { disable, calls } = mount({
      bind: () => ({ deviceIds: ["d1"], reason: "from the page" }),
      overridableFields: ["reason"],
    });
    await disable({ reason: "from the agent" });
    await disable({});
    expect(calls.map(({ input }) => input)).toEqual([
      { deviceIds: ["d1"], reason: "from the agent" },
      { deviceIds: ["d1"], reason: "from the page" },
    ]);
  });

  it("is bound when it is used, not when it was shown", async () => {
    let selected = ["d1"];
    const { disable, calls } = mount({ bind: () => ({ deviceIds: selected }) });
    selected = ["d2"];
    await disable();
    expect(calls).toMatchObject([{ input: { deviceIds: ["d2"] } }]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no selection");
      },
    ],
    ["leaves out what is required", () => ({})],
    ["has what the schema refuses", () => ({ deviceIds: [] })],
    ["has a field that it had not at registration", () => ({ deviceIds: ["d1"], reason: "x" })],
  ])("that the component can't complete fails before anybody is asked: its bind() %s", async (_, later) => {
    let isMounted = false;
    const bind = (): Partial<Disable> => (isMounted ? later() : { deviceIds: ["d1"] });
    const { disable, calls, registry } = mount({ bind, confirmation: "required" });
    isMounted = true;
    expect(await disable()).toMatchObject({
      error: { code: "PRECONDITION_FAILED", details: { reason: "binding-failed" } },
    });
    expect(registry.confirmations.pending()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it("is what the user confirms, as a whole", async () => {
    const { disable, registry, calls } = mount({
      bind: () => ({ deviceIds: ["d1"] }),
      confirmation: "required",
    });
    const request = { invocationId: "call_1" };
    const asked = await disable({ reason: "noise" }, request);
    const [pending] = registry.confirmations.pending();
    expect(asked).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
    expect(pending?.input).toEqual({ deviceIds: ["d1"], reason: "noise" });
    const confirmationId = pending?.confirmationId ?? "";
    registry.confirmations.resolve(confirmationId, { approved: true });
    expect(await disable({ reason: "noise" }, { ...request, confirmationId })).toMatchObject({
      status: "ok",
    });
    expect(calls).toHaveLength(1);
  });
});

it("AS-BIND-003 a procedure without a contract, or with that of another one, is not registered", () => {
  const app = connect();
  const registry = open(app);
  const definition = (contract: Parameters<typeof authorizeAgentProcedureBinding>[0] | undefined) => {
    const bound = {
      type: "devices.table",
      description: "Table of devices",
      procedures: [bindAgentProcedure(app.bridge.refs.devices.disable)],
    };
    return contract ? authorizeAgentProcedureBinding(contract, bound) : bound;
  };
  expect(() => registry.register(definition(undefined))).toThrow("INVALID_DEFINITION");
  expect(() => registry.register(definition(contracts.list))).toThrow("INVALID_DEFINITION");
});

it("two components that refer to one procedure are told apart by their registration", async () => {
  const { app, registry, disable, calls, handle } = mount({ bind: () => ({ deviceIds: ["d1"] }) });
  mount({ bind: () => ({ deviceIds: ["d2"] }) }, { app, registry, instanceId: "other" });
  expect(await disable()).toMatchObject({ error: { code: "AMBIGUOUS_INSTANCE" } });
  expect(await disable({}, { registrationId: handle.registrationId })).toMatchObject({ status: "ok" });
  expect(calls).toMatchObject([{ input: { deviceIds: ["d1"] } }]);
});

it("what a component says of policies, metadata and concurrency holds for its procedure", async () => {
  const seen: unknown[] = [];
  const app = connect();
  let finish!: () => void;
  const bothRun = new Promise<void>((resolve) => (finish = resolve));
  let running = 0;
  app.client.devices.disable = async () => {
    running += 1;
    if (running === 2) finish();
    await bothRun;
    return { disabled: 1 };
  };
  const { disable } = mount(
    {
      bind: () => ({ deviceIds: ["d1"] }),
      meta: { page: "overview" },
      concurrency: { mode: "parallel", max: 2 },
      policies: [
        {
          name: "watch",
          onAuthorize: (context, next) => {
            seen.push(context.meta.capability);
            return next();
          },
        },
      ],
    },
    { app },
  );
  const calls = [disable({ reason: "one" }), disable({ reason: "two" })];
  expect(await Promise.all(calls)).toMatchObject([{ status: "ok" }, { status: "ok" }]);
  expect(seen).toEqual([{ page: "overview" }, { page: "overview" }]);
});
