/* oxlint-disable unicorn/consistent-function-scoping, unicorn/no-thenable, eslint/no-extend-native -- what pages do
   that mean no good is what is tested here. */
/**
 * What JavaScript hands over is read once. What it does afterwards, or in between, changes no decision.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AgentSurfaceError,
  type AgentCapabilityErrorPayload,
  type AgentInvocation,
  type AgentPolicy,
  type AgentSurfaceRegistry,
  type JsonValue,
} from "@agent-surface/core";
import {
  button,
  codeOf,
  confirmationOf,
  deferred,
  detailsOf,
  echo,
  mount,
  mountProcedure,
  number,
  open,
  procedure,
  record,
  screen,
  the,
} from "./support/surface.js";

const RUN = { capabilityId: "view:screen.run" };

afterEach(() => {
  Reflect.deleteProperty(Object.prototype, "polluted");
  Reflect.deleteProperty(Object.prototype, "toJSON");
});

/** What the handler of an echo got, and the answer. */
async function send(input: unknown, registry = mount({ actions: { run: echo() } }).registry) {
  return codeOf(await registry.invoke({ ...RUN, input: input as JsonValue }));
}

describe("an input is taken as text once", () => {
  it("from a getter that says something else each time", async () => {
    let reads = 0;
    const shifty = {
      get ids() {
        return [(reads += 1)];
      },
    };
    expect(await send(shifty)).toEqual({ output: { ids: [1] } });
    expect(reads).toBe(1);
  });

  it("from a request whose members say something else each time", async () => {
    const reads: string[] = [];
    const request = new Proxy(
      { ...RUN, input: 1, invocationId: "call_1" },
      {
        get(target, key, receiver) {
          reads.push(String(key));
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    const { registry } = mount({ actions: { run: echo() } });
    expect(codeOf(await registry.invoke(request as AgentInvocation))).toEqual({ output: 1 });
    expect(new Set(reads).size).toBe(reads.length);
  });

  it("from a proxy that is changed while the invocation waits", async () => {
    const gate = deferred();
    const wait: AgentPolicy = { name: "wait", onAuthorize: async (_, next) => (await gate.promise, next()) };
    const { registry } = mount({ actions: { run: echo() } }, { policies: [wait] });
    const input = { amount: 1 };
    const answer = send(new Proxy(input, {}), registry);
    input.amount = 1000;
    gate.resolve();
    expect(await answer).toEqual({ output: { amount: 1 } });
  });

  it("from toJSON, which is asked once", async () => {
    const toJSON = vi.fn<() => unknown>().mockReturnValueOnce({ a: 1 }).mockReturnValue({ a: 2 });
    expect(await send({ toJSON })).toEqual({ output: { a: 1 } });
    expect(toJSON).toHaveBeenCalledTimes(1);
  });

  it("with members of any name, and nothing of the prototype", async () => {
    Object.defineProperty(Object.prototype, "polluted", {
      value: 1,
      configurable: true,
      enumerable: true,
      writable: true,
    });
    const input: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
    const { registry } = mount({ actions: { run: echo((value) => Object.keys(value as object)) } });
    expect(await send(input, registry)).toEqual({ output: ["__proto__", "constructor"] });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it("from a page whose objects all have a toJSON", async () => {
    const { registry } = mount({ actions: { run: echo() } });
    Object.defineProperty(Object.prototype, "toJSON", { value: () => "polluted", configurable: true });
    const answer = await registry.invoke({ ...RUN, input: { a: 1 } });
    Reflect.deleteProperty(Object.prototype, "toJSON");
    // What the text says is what was judged and executed.
    expect(codeOf(answer)).toEqual({ output: "polluted" });
  });

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  let deep: unknown = 1;
  for (let level = 0; level < 1000; level++) deep = [deep];
  it.each([
    ["a circle", circle],
    ["a bigint", { n: 1n }],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["half a surrogate pair", "\ud800"],
    ["a thousand levels", deep],
    [
      "a toJSON that throws",
      {
        toJSON() {
          throw new Error("no");
        },
      },
    ],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("no");
        },
      },
    ],
  ])("and is an invalid one if it can't be written: %s", async (_, input) => {
    const { registry } = mount({ actions: { run: echo() } });
    expect(await send(input, registry)).toBe("INVALID_INPUT");
    expect(await send({ fine: true }, registry)).toEqual({ output: { fine: true } });
  });

  it("however long it is", async () => {
    const text = "é".repeat(1_000_000);
    const { registry } = mount({ actions: { run: echo((value) => (value as string).length) } });
    expect(await send(text, registry)).toEqual({ output: 1_000_000 });
  });

  it("so that no handler shares it with another, or with the user's dialog", async () => {
    const seen: unknown[] = [];
    const run = echo((value) => ((value as string[]).push("more"), seen.push(value)));
    const check = vi.fn<(value: JsonValue) => void>((value) => void (value as string[]).push("less"));
    run.precondition = check;
    const input = ["one"];
    await send(input, mount({ actions: { run } }).registry);
    expect(seen).toEqual([["one", "more"]]);
    expect(input).toEqual(["one"]);
  });
});

describe("an output is taken as text once", () => {
  it("from a getter, and whatever happens to the object afterwards", async () => {
    let reads = 0;
    const output = {
      get ids() {
        return [(reads += 1)];
      },
      later: 1,
    };
    const { registry } = mount({ actions: { run: echo(() => output) } });
    const answer = registry.invoke({ ...RUN, input: null });
    output.later = 2;
    expect(codeOf(await answer)).toEqual({ output: { ids: [1], later: 1 } });
    expect(reads).toBe(1);
  });

  it("of a thenable, which settles it once, however often it calls", async () => {
    const thenable = {
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve("first");
        resolve("second");
        reject(new Error("third"));
      },
    };
    const { registry } = mount({ actions: { run: echo(() => thenable) } });
    const events = record(registry);
    expect(await send(null, registry)).toEqual({ output: "first" });
    expect(events.filter(({ type }) => type === "invocation-settled")).toHaveLength(1);
  });

  it("of a thenable that throws", async () => {
    const thenable = {
      then() {
        throw new Error("no");
      },
    };
    expect(await send(null, mount({ actions: { run: echo(() => thenable) } }).registry)).toBe(
      "EXECUTION_FAILED",
    );
  });
});

describe("details of an error are taken as text once", () => {
  const refusal = (details: unknown): AgentCapabilityErrorPayload => ({
    code: "PRECONDITION_FAILED",
    message: "No",
    retry: "no",
    details: details as Record<string, JsonValue>,
  });
  const refuse = async (details: unknown) => {
    const { registry } = mount({
      actions: { run: button(() => Promise.reject(new AgentSurfaceError(refusal(details)))) },
    });
    return detailsOf(await registry.invoke({ ...RUN, input: {} }));
  };

  it("and left out if they can't be written", async () => {
    let reads = 0;
    expect(
      await refuse({
        get left() {
          return (reads += 1);
        },
      }),
    ).toEqual({ left: 1 });
    for (const odd of [{ n: 1n }, { go: () => 1 }, { at: new Date(0) }, [1], "text"]) {
      expect(await refuse(odd)).toEqual({});
    }
  });
});

describe("what the user approves is what is executed", () => {
  it("even if the view supplies something else by then", async () => {
    let ids = ["d1"];
    const { registry, calls } = mountProcedure(procedure("destructive", { bind: () => ({ ids }) }));
    const call = (more: object = {}) =>
      registry.invoke({ capabilityId: "domain:devices.disable", input: {}, ...more });
    const confirmationId = confirmationOf(await call());
    const [pending] = registry.confirmations.pending();
    expect(Object.isFrozen(pending) && Object.isFrozen(pending?.input)).toBe(true);
    registry.confirmations.resolve(confirmationId, { approved: true });
    ids = ["d2"];
    expect(detailsOf(await call({ confirmationId }))).toEqual({ reason: "mismatch" });
    ids = ["d1"];
    expect(codeOf(await call({ confirmationId }))).toEqual({ output: null });
    expect(calls).toEqual([{ ids: ["d1"] }]);
  });

  it("only if the user says so: what is as good as true is not", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const request = { capabilityId: "domain:devices.disable", input: {} };
    const confirmationId = confirmationOf(await registry.invoke(request));
    registry.confirmations.resolve(confirmationId, { approved: "yes" as unknown as boolean });
    expect(detailsOf(await registry.invoke({ ...request, confirmationId }))).toEqual({
      reason: "denied",
    });
  });
});

describe("who asks is read once", () => {
  it("and shown to policies as it was then", async () => {
    const gate = deferred();
    const seen: unknown[] = [];
    const policy: AgentPolicy = {
      name: "wait",
      onAuthorize: async (ctx, next) => {
        await gate.promise;
        seen.push({ ...ctx.consumer });
        return next();
      },
    };
    const { registry } = mount({ actions: { run: button() } }, { policies: [policy] });
    const consumer = { id: "guest", kind: "embedded" as const, grants: ["read"] };
    const answer = registry.invoke({ ...RUN, input: {} }, { consumer });
    consumer.id = "admin";
    consumer.grants.push("write");
    gate.resolve();
    await answer;
    expect(seen).toEqual([{ id: "guest", kind: "embedded", grants: ["read"] }]);
  });
});

describe("a policy is what it was when it was attached", () => {
  it("even if its hooks are taken from it", async () => {
    const policy: AgentPolicy = {
      name: "closed",
      onAuthorize: () =>
        Promise.reject(new AgentSurfaceError({ code: "NOT_AUTHORIZED", message: "No", retry: "no" })),
    };
    const policies = [policy];
    const { registry } = mount({ actions: { run: button() } }, { policies });
    delete policy.onAuthorize;
    policies.pop();
    expect(codeOf(await registry.invoke({ ...RUN, input: {} }))).toBe("NOT_AUTHORIZED");
  });

  it("and can't change what the next one is told", async () => {
    const meddler: AgentPolicy = {
      name: "meddler",
      onInvoke(ctx, next) {
        (ctx.effectiveInput as { amount: number }).amount = 1;
        return next();
      },
    };
    const { registry } = mount({ actions: { run: echo() } }, { policies: [meddler] });
    expect(await send({ amount: 1000 }, registry)).toBe("EXECUTION_FAILED");
  });

  it("and can't change what came of an invocation but by returning something else", async () => {
    const meddler: AgentPolicy = {
      name: "meddler",
      async onInvoke(_, next) {
        const result = await next();
        if (result.status === "ok") (result as { output: unknown }).output = "forged";
        return result;
      },
    };
    const { registry } = mount({ actions: { run: echo() } }, { policies: [meddler] });
    expect(await send("genuine", registry)).toBe("EXECUTION_FAILED");
  });
});

describe("code that calls in from within changes nothing that was decided before", () => {
  /** A registry, and what is to be done within it when somebody gets the chance. */
  function meddled(where: "when" | "policy" | "listener" | "handler" | "context" | "guard") {
    let meddle: (() => void) | undefined;
    const once = (): void => {
      const act = meddle;
      meddle = undefined;
      act?.();
    };
    const at = (place: typeof where) => (where === place ? once : () => undefined);
    const policy: AgentPolicy = {
      name: "meddler",
      onDiscovery: () => (at("policy")(), { decision: "expose" }),
    };
    const definition = screen({
      observations: { value: number() },
      actions: {
        run: echo((input) => (at("handler")(), input), { when: () => (at("when")(), true) }),
      },
    });
    const other = screen({ type: "other" });
    const registry = open([definition, other], {
      policies: [policy],
      context: () => (at("context")(), {}),
      onRegister: () => (at("guard")(), "accept"),
    });
    registry.subscribe(at("listener"));
    const handle = registry.register(definition);
    return { registry, handle, other, arm: (act: () => void) => (meddle = act) };
  }

  const places = ["when", "policy", "listener", "handler", "context"] as const;

  it.each(places)("by unregistering its own component: %s", async (place) => {
    const { registry, handle, arm } = meddled(place);
    const events = record(registry);
    arm(() => handle.unregister());
    const result = await registry.invoke({ ...RUN, input: 1 });
    expect(codeOf(result)).toBe("COMPONENT_UNMOUNTED");
    expect(registry.snapshot().components).toEqual([]);
    expect(events.filter(({ type }) => type === "invocation-settled")).toHaveLength(1);
  });

  it.each(places)("by closing the surface: %s", async (place) => {
    const { registry, arm } = meddled(place);
    arm(() => registry.dispose());
    expect(codeOf(await registry.invoke({ ...RUN, input: 1 }))).toBe("CANCELLED");
    expect(() => registry.snapshot()).toThrow("disposed");
  });

  it.each(places)("by registering, invoking and looking: %s", async (place) => {
    const { registry, other, arm } = meddled(place);
    let inner: ReturnType<AgentSurfaceRegistry["invoke"]> | undefined;
    arm(() => {
      registry.register(other);
      inner = registry.invoke({ capabilityId: "view:screen.value" });
      registry.snapshot();
    });
    expect(codeOf(await registry.invoke({ ...RUN, input: 1 }))).toEqual({ output: 1 });
    expect(codeOf(await the(inner))).toEqual({ output: 1 });
    expect(registry.snapshot().components).toHaveLength(2);
  });

  it("by unregistering what is being looked at", () => {
    const { registry, handle, arm } = meddled("when");
    arm(() => handle.unregister());
    expect(registry.snapshot().components).toEqual([]);
  });

  it("by closing the surface that is being looked at, or registered in", () => {
    const looked = meddled("when");
    looked.arm(() => looked.registry.dispose());
    expect(() => looked.registry.snapshot()).toThrow("disposed");
    const guarded = meddled("guard");
    guarded.arm(() => guarded.registry.dispose());
    expect(() => guarded.registry.register(guarded.other)).toThrow("disposed");
  });
});
