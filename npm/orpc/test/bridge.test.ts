import {
  AgentSurfaceDefinitionError,
  isAgentSurfaceError,
  type AgentCapabilityErrorPayload,
  type ProcedureCallInfo,
} from "@agent-surface/core";
import {
  createOrpcAgentBridge,
  isBridgeRef,
  type OrpcAgentBridgeOptions,
  type OrpcAgentManifest,
} from "@agent-surface/orpc";
import { ORPCError } from "@orpc/client";
import { describe, expect, it } from "vitest";
import { connect, manifest } from "./support/devices.js";

const info: ProcedureCallInfo = {
  invocationId: "inv_1",
  consumer: { id: "copilot", kind: "embedded" },
  signal: new AbortController().signal,
};

type MapServerError = NonNullable<OrpcAgentBridgeOptions<object>["mapServerError"]>;

/** A manifest of procedures that say nothing but their paths. */
function manifestOf(...paths: string[]): OrpcAgentManifest {
  const tool = { description: "x", inputSchema: { type: "object" }, effect: "server-query" as const };
  return { tools: Object.fromEntries(paths.map((path) => [path, tool])) };
}

/** What an app says of errors that it knows. */
const mapServerError: MapServerError = (error) =>
  error instanceof ORPCError && error.code === "FORBIDDEN"
    ? { code: "PRECONDITION_FAILED", message: "Ask an operator.", retry: "no" }
    : undefined;

/** Makes a bridge of them. */
function bridging(...paths: string[]): () => unknown {
  return () => createOrpcAgentBridge({ client: {}, manifest: manifestOf(...paths) });
}

/** What an agent is told when a call ends with this. */
async function toldOf(
  thrown: unknown,
  options: Partial<OrpcAgentBridgeOptions<object>> = {},
): Promise<AgentCapabilityErrorPayload> {
  const client = { call: () => Promise.reject(thrown) };
  const { executor } = createOrpcAgentBridge({ client, manifest: manifestOf("call"), ...options });
  const error: unknown = await executor.execute({ path: "call", input: {}, info }).catch((e: unknown) => e);
  if (!isAgentSurfaceError(error)) throw error;
  expect(error.cause).toBe(thrown);
  return error.payload;
}

describe("references", () => {
  it("are there for what the manifest has, in the shape of the client", () => {
    const { bridge } = connect();
    expect(bridge.refs.devices.disable).toMatchObject({
      id: "domain:devices.disable",
      path: "devices.disable",
      effect: "server-mutation",
    });
    expect(Object.keys(bridge.refs.devices)).toEqual(["disable", "list"]);
    expect([bridge.hasPath("devices.list"), bridge.hasPath("devices.wipe")]).toEqual([true, false]);
    expect(bridge.executor.paths).toEqual(["devices.disable", "devices.list"]);
    expect(bridge.manifest).toBe(manifest);
  });

  it("are made by bridges only: a copy is none, and nobody can change one", () => {
    const { disable } = connect().bridge.refs.devices;
    expect(isBridgeRef(disable)).toBe(true);
    expect([{ ...disable }, Object.create(disable), null, "ref"].filter(isBridgeRef)).toEqual([]);
    expect(Object.isFrozen(disable)).toBe(true);
  });

  it("have names like any other where objects have members of their own", () => {
    const bridge = createOrpcAgentBridge({
      client: {},
      manifest: JSON.parse(JSON.stringify(manifestOf("a.constructor.b")).replace("a.", "__proto__.")),
    });
    expect(bridge.hasPath("toString")).toBe(false);
    expect(Object.getOwnPropertyNames(bridge.refs)).toEqual(["__proto__"]);
    expect(({} as { constructor: { b?: unknown } }).constructor.b).toBeUndefined();
  });

  it("can't stand below one another", () => {
    expect(bridging("a", "a.b")).toThrow(AgentSurfaceDefinitionError);
    expect(bridging("a", "a.b")).toThrow('"a.b" below "a"');
    expect(bridging("a.b", "a")).toThrow('"a.b" below "a"');
  });

  it("call the procedure for the app, with errors as they are", async () => {
    const { bridge, client, calls } = connect();
    expect(await bridge.refs.devices.disable.call({ deviceIds: ["d1"] }, info)).toEqual({ disabled: 1 });
    expect(calls).toEqual([{ path: "devices.disable", input: { deviceIds: ["d1"] }, signal: info.signal }]);
    const error = new Error("no route to 10.0.0.3");
    client.devices.disable = () => Promise.reject(error);
    await expect(bridge.refs.devices.disable.call({ deviceIds: ["d1"] }, info)).rejects.toBe(error);
  });
});

describe("the executor", () => {
  it("makes oRPC's context of what is known of a call", async () => {
    const seen: unknown[] = [];
    const { executor } = createOrpcAgentBridge({
      client: { ping: async (_: object, options: object) => seen.push(options) },
      manifest: manifestOf("ping"),
      callContext: ({ invocationId, consumer, confirmation }) => ({ invocationId, consumer, confirmation }),
    });
    const confirmation = { id: "cnf_1", approvedAt: "2026-01-01T00:00:00.000Z" };
    await executor.execute({ path: "ping", input: {}, info: { ...info, confirmation } });
    const { invocationId, consumer, signal } = info;
    expect(seen).toEqual([{ signal, context: { invocationId, consumer, confirmation } }]);
  });

  it("does not take the app's own defects for failures of the server", async () => {
    const defect = new TypeError("consumer.name is not a function");
    const { executor } = createOrpcAgentBridge({
      client: { ping: () => Promise.resolve(1) },
      manifest: manifestOf("ping"),
      callContext: () => {
        throw defect;
      },
    });
    await expect(executor.execute({ path: "ping", input: {}, info })).rejects.toBe(defect);
  });

  it("calls what the manifest has, and the client too", async () => {
    const { bridge, calls } = connect();
    const outside = bridge.executor.execute({ path: "devices.wipe", input: {}, info });
    await expect(outside).rejects.toMatchObject({ payload: { code: "EXECUTION_FAILED", retry: "no" } });
    const { executor } = createOrpcAgentBridge({
      client: { devices: {}, list: 1 },
      manifest: manifestOf("devices.list", "list", "valueOf", "a.b.c"),
    });
    for (const path of executor.paths ?? []) {
      await expect(executor.execute({ path, input: {}, info })).rejects.toMatchObject({
        payload: { details: { reason: "transport" } },
      });
    }
    expect(calls).toEqual([]);
  });
});

describe("an error of the server", () => {
  it.each([
    new ORPCError("UNAUTHORIZED"),
    new ORPCError("FORBIDDEN", { message: "role viewer of tenant 7" }),
    new ORPCError("TENANT_MISMATCH", { status: 403 }),
    { status: 401 },
  ])("that refuses the user is NOT_AUTHORIZED: %o", async (thrown) => {
    expect(await toldOf(thrown)).toEqual({
      code: "NOT_AUTHORIZED",
      message: "The server does not allow this call.",
      retry: "no",
      details: { origin: "server" },
    });
  });

  it.each([
    [new ORPCError("APPROVAL_REQUIRED", { status: 409, data: { approvalId: "apr_1" } }), "apr_1"],
    [{ data: { approvalRequired: true, approvalId: 7 } }, undefined],
  ])("that wants an approval of its own is CONFIRMATION_REQUIRED: %o", async (thrown, confirmationId) => {
    expect(await toldOf(thrown)).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
      retry: "with-confirmation",
      details: { origin: "server", ...(confirmationId && { confirmationId }) },
    });
  });

  it.each([
    new Error("connect ECONNREFUSED 10.0.0.3:5432 (postgres://internal)"),
    new ORPCError("INTERNAL_SERVER_ERROR", { message: "select * from users", data: { sql: "…" } }),
    "boom",
    null,
    undefined,
  ])("that nobody knows tells nothing of itself: %o", async (thrown) => {
    expect(await toldOf(thrown)).toEqual({
      code: "EXECUTION_FAILED",
      message: "The call to the server failed.",
      retry: "no",
      details: { reason: "transport" },
    });
  });

  it.each([new TypeError("fetch failed"), { transient: true }])(
    "that may pass can be tried again after a while: %o",
    async (thrown) => {
      expect(await toldOf(thrown)).toMatchObject({
        retry: "after-delay",
        details: { reason: "transport", transient: true, retryAfterMs: 1000 },
      });
    },
  );

  it("is the app's to explain first, and otherwise what it would be", async () => {
    expect(await toldOf(new ORPCError("FORBIDDEN"), { mapServerError })).toMatchObject({
      message: "Ask an operator.",
    });
    expect(await toldOf(new ORPCError("UNAUTHORIZED"), { mapServerError })).toMatchObject({
      code: "NOT_AUTHORIZED",
    });
  });
});
