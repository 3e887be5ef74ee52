import {
  authorizeAgentProcedureBinding,
  createAgentSurfaceRegistry,
  createAgentToolset,
  type AgentInvocation,
  type RegistryOptions,
} from "@agent-surface/core";
import { createOrpcAgentBridge, type OrpcAgentBridgeOptions } from "@agent-surface/orpc";
import { createOrpcAgentManifest } from "@agent-surface/orpc/manifest";
import { createORPCClient, ORPCError } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bindAgentProcedure } from "../src/binding.js";
import { makeRouter, startBackend, type DevicesClient, type Script } from "./support/backend.js";
import { contractsOf } from "./support/compile.js";

const manifest = await createOrpcAgentManifest(makeRouter({ onDisable: () => undefined }));
const { authority, contracts } = contractsOf(manifest);

type BridgeOptions = Partial<OrpcAgentBridgeOptions<DevicesClient>>;

/** What a component refers to a procedure by. */
function contractOf(path: string) {
  const contract = contracts[path];
  if (contract === undefined) throw new Error(`no contract of ${path}`);
  return contract;
}

/** A page over a client, in which `devices.disable` can be called for the device that is selected. */
function openPage(client: DevicesClient, bridgeOptions: BridgeOptions = {}, options: RegistryOptions = {}) {
  const bridge = createOrpcAgentBridge({ client, manifest, ...bridgeOptions });
  const registry = createAgentSurfaceRegistry({ authority, environment: "test", ...options });
  registry.setProcedureExecutor(bridge.executor);
  const page = { selected: ["d1"] };
  const { disable, list } = bridge.refs.devices;
  registry.register(
    authorizeAgentProcedureBinding(contractOf("devices.disable"), {
      type: "devices.table",
      description: "Table of devices",
      procedures: [bindAgentProcedure(disable, { bind: () => ({ deviceIds: page.selected }) })],
    }),
  );
  registry.register(
    authorizeAgentProcedureBinding(contractOf("devices.list"), {
      type: "devices.search",
      description: "Search for devices",
      procedures: [bindAgentProcedure(list)],
    }),
  );
  const invoke = (name: string, input: AgentInvocation["input"] = {}, request = {}, how = {}) =>
    registry.invoke({ capabilityId: `domain:devices.${name}`, input, ...request }, how);
  return { registry, page, invoke };
}

/** A page and a server for it, with what got through to the procedure. */
async function connect(
  script: Partial<Script> = {},
  bridgeOptions?: BridgeOptions,
  options?: RegistryOptions,
) {
  const calls: Parameters<Script["onDisable"]>[0][] = [];
  const backend = await startBackend({
    onDisable: (call) => {
      calls.push(call);
      return script.onDisable?.(call);
    },
  });
  return { ...backend, ...openPage(backend.client, bridgeOptions, options), calls };
}

describe("a call that succeeds", () => {
  it("goes through the app's own client, with what the page binds and the agent adds", async () => {
    await using app = await connect({}, { callContext: ({ consumer }) => ({ agent: consumer.id }) });
    app.page.selected = ["d1", "d2"];
    const result = await app.invoke(
      "disable",
      { reason: "noise" },
      {},
      { consumer: { id: "copilot", kind: "embedded" } },
    );
    expect(result).toMatchObject({ status: "ok", output: { disabled: 2 } });
    expect(app.calls).toMatchObject([
      { input: { deviceIds: ["d1", "d2"], reason: "noise" }, context: { user: "ada", agent: "copilot" } },
    ]);
    expect(app.requests).toEqual(["/devices/disable"]);
  });

  it("of a query is a call like any other", async () => {
    await using app = await connect();
    expect(await app.invoke("list", { city: "Milano" })).toMatchObject({ output: ["d1 of Milano"] });
  });

  it("is made once, however often it is delivered", async () => {
    await using app = await connect();
    const request = { invocationId: "call_1" };
    const [one, joined] = await Promise.all([
      app.invoke("disable", {}, request),
      app.invoke("disable", {}, request),
    ]);
    const repeated = await app.invoke("disable", {}, request);
    expect(one).toMatchObject({ status: "ok" });
    expect([joined, repeated]).toEqual([one, one]);
    expect(app.calls).toHaveLength(1);
    expect(app.requests).toHaveLength(1);
  });
});

describe("a call that fails", () => {
  it("that the page's schema refuses does not reach the server", async () => {
    await using app = await connect();
    expect(await app.invoke("disable", { reason: "x" })).toMatchObject({
      error: { code: "INVALID_INPUT", details: { issues: [{ path: "reason" }] } },
    });
    expect(app.requests).toEqual([]);
  });

  it("that only the server refuses tells the agent nothing of the server's words", async () => {
    await using app = await connect();
    app.page.selected = ["vault"];
    const result = await app.invoke("disable");
    expect(result).toMatchObject({
      error: {
        code: "EXECUTION_FAILED",
        message: "The call to the server failed.",
        retry: "no",
        details: { reason: "transport" },
      },
    });
    expect(app.calls).toEqual([]);
    expect(app.requests).toHaveLength(1);
  });

  it("can be told as what the app knows it to be", async () => {
    await using app = await connect(
      {},
      {
        mapServerError: (error) =>
          error instanceof ORPCError && error.code === "DEVICE_BUSY"
            ? {
                code: "PRECONDITION_FAILED",
                message: "A device is busy.",
                retry: "after-delay",
                details: { deviceId: error.data.deviceId },
              }
            : undefined,
      },
    );
    app.page.selected = ["busy-7"];
    expect(await app.invoke("disable")).toMatchObject({
      error: { code: "PRECONDITION_FAILED", retry: "after-delay", details: { deviceId: "busy-7" } },
    });
  });

  it("for want of a session is NOT_AUTHORIZED, and says that the server decided it", async () => {
    await using backend = await startBackend({ onDisable: () => undefined }, null);
    const { invoke } = openPage(backend.client);
    const result = await invoke("disable");
    expect(result).toMatchObject({
      error: { code: "NOT_AUTHORIZED", retry: "no", details: { origin: "server" } },
    });
    expect(JSON.stringify(result)).not.toContain("cookie");
  });

  it("until the server's own people approve it is called once, and waits for nobody in the page", async () => {
    let isApproved = false;
    await using app = await connect({
      onDisable: () => {
        const data = { approvalId: "apr_7" };
        if (!isApproved) throw new ORPCError("APPROVAL_REQUIRED", { status: 409, data });
      },
    });
    const [disable] = createAgentToolset(app.registry, {
      consumer: { id: "copilot", kind: "embedded" },
      confirmations: "wait",
    })
      .tools()
      .filter(({ name }) => name === "domain_devices__disable");
    expect(await disable?.execute({}, { toolCallId: "call_1" })).toMatchObject({
      error: {
        code: "CONFIRMATION_REQUIRED",
        retry: "with-confirmation",
        details: { origin: "server", confirmationId: "apr_7" },
      },
    });
    expect(app.calls).toHaveLength(1);
    expect(app.registry.confirmations.pending()).toEqual([]);
    isApproved = true;
    expect(await disable?.execute({}, { toolCallId: "call_1" })).toMatchObject({ status: "ok" });
  });

  it("because nobody listens may be tried again later", async () => {
    const backend = await startBackend({ onDisable: () => undefined });
    await backend.close();
    const { invoke } = openPage(backend.client);
    const result = await invoke("disable");
    expect(result).toMatchObject({
      error: {
        code: "EXECUTION_FAILED",
        retry: "after-delay",
        details: { reason: "transport", transient: true, retryAfterMs: 1000 },
      },
    });
    expect(JSON.stringify(result)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
  });

  it("because the server hangs up may be tried again later, too", async () => {
    await using app = await connect({ onDisable: () => app.close() });
    expect(await app.invoke("disable")).toMatchObject({
      error: { code: "EXECUTION_FAILED", retry: "after-delay" },
    });
  });

  it("because what stands there is no oRPC server is not worth another try", async () => {
    await using backend = await startBackend({ onDisable: () => undefined });
    const elsewhere = createORPCClient<DevicesClient>(new RPCLink({ url: `${backend.url}/elsewhere` }));
    expect(await openPage(elsewhere).invoke("disable")).toMatchObject({
      error: { code: "EXECUTION_FAILED", retry: "no", details: { reason: "transport" } },
    });
    expect(backend.requests).toEqual(["/elsewhere/devices/disable"]);
  });
});

describe("a call that takes too long", () => {
  it("is given up when the agent gives it up, and the server hears of it", async () => {
    const started = deferred<AbortSignal>();
    await using app = await connect({ onDisable: ({ signal }) => untilAborted(signal, started.resolve) });
    const giveUp = new AbortController();
    const result = app.invoke("disable", {}, {}, { signal: giveUp.signal });
    const server = await started.promise;
    expect(server.aborted).toBe(false);
    giveUp.abort();
    expect(await result).toMatchObject({ error: { code: "CANCELLED" } });
    await aborted(server);
  });

  it("times out, and the server hears of it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const started = deferred<AbortSignal>();
    await using app = await connect({ onDisable: ({ signal }) => untilAborted(signal, started.resolve) });
    const result = app.invoke("disable", {}, {}, { timeoutMs: 5000 });
    const server = await started.promise;
    vi.advanceTimersByTime(4999);
    expect(server.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await result).toMatchObject({
      error: { code: "TIMEOUT", retry: "no", details: { timeoutMs: 5000, idempotent: false } },
    });
    await aborted(server);
  });

  it("and answers in the end is waited for", async () => {
    const [started, answer] = [deferred(), deferred()];
    await using app = await connect({
      onDisable: () => {
        started.resolve();
        return answer.promise;
      },
    });
    const result = app.invoke("disable");
    await started.promise;
    answer.resolve();
    expect(await result).toMatchObject({ status: "ok" });
  });

  it("holds back the next one of the same procedure, and no other", async () => {
    const [started, answer] = [deferred(), deferred()];
    await using app = await connect({
      onDisable: () => {
        started.resolve();
        return answer.promise;
      },
    });
    const first = app.invoke("disable");
    const second = app.invoke("disable", { reason: "again" });
    await started.promise;
    expect(await app.invoke("list")).toMatchObject({ status: "ok" });
    expect(app.calls).toHaveLength(1);
    answer.resolve();
    expect(await Promise.all([first, second])).toMatchObject([{ status: "ok" }, { status: "ok" }]);
    expect(app.calls.map(({ input }) => input.reason)).toEqual([undefined, "again"]);
  });
});

/** A promise, and what it is settled by. */
function deferred<T = void>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

function untilAborted(
  signal: AbortSignal | undefined,
  onStart: (signal: AbortSignal) => void,
): Promise<void> {
  if (signal === undefined) throw new Error("the server knows no signal");
  onStart(signal);
  return aborted(signal);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}
