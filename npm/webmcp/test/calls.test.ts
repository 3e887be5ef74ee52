/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { AgentSurfaceError, type AgentSurfaceRegistry, type JsonValue } from "@agent-surface/core";
import type { WebMcpToolResult } from "@agent-surface/webmcp";
import { describe, expect, it, vi } from "vitest";
import {
  button,
  deferred,
  echo,
  mount,
  mountProcedure,
  number,
  procedure,
} from "../../core/test/support/surface.js";
import { read, soon } from "./support/browser.js";
import { offer } from "./support/offer.js";

const ECHO = "view_screen__echo";
const RUN = "view_screen__run";
const DISABLE = "domain_devices__disable";

describe("a call from the browser", () => {
  it("is answered with the output, or with null where there is none", async () => {
    const { registry } = mount({
      observations: { value: number(() => 7) },
      actions: { echo: echo(), run: button() },
    });
    const { browser } = await offer(registry);
    expect(await browser.call(ECHO, { a: ["ü", null] })).toEqual({
      content: [{ type: "text", text: '{"a":["ü",null]}' }],
    });
    expect(read(await browser.call("view_screen__value"))).toEqual({ output: 7 });
    expect(read(await browser.call(RUN))).toEqual({ output: null });
  });

  it("may come without any input, as some polyfills have it", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const { browser } = await offer(registry);
    expect(read(await browser.tool(RUN).execute(undefined as unknown as JsonValue))).toEqual({
      output: null,
    });
  });

  it("has its input held to the contract, which no browser does", async () => {
    const execute = vi.fn<() => void>();
    const { registry } = mount({ actions: { run: button(execute) } });
    const { browser } = await offer(registry);
    for (const input of [{ extra: 1 }, [], "text", 5, null]) {
      expect(read(await browser.tool(RUN).execute(input))).toMatchObject(
        input === null ? { output: null } : { code: "INVALID_INPUT", retry: "with-changes" },
      );
    }
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("is answered with the error's code, retry and details, whatever is thrown", async () => {
    const payload = { code: "PRECONDITION_FAILED", message: "No", retry: "no", details: { a: 1 } } as const;
    const { registry } = mount({
      actions: {
        run: button(() => {
          throw new AgentSurfaceError(payload);
        }),
        stop: button(() => {
          throw new Error("a secret");
        }),
      },
    });
    const { browser } = await offer(registry);
    expect(await browser.call(RUN)).toEqual({
      content: [{ type: "text", text: expect.stringContaining('"details":{"a":1}') }],
      isError: true,
    });
    const failed = await browser.call("view_screen__stop");
    expect(read(failed)).toMatchObject({ code: "EXECUTION_FAILED" });
    expect(JSON.stringify(failed)).not.toContain("secret");
  });

  it("is answered even where the registry itself rejects to tell its developer of a defect", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["me"] = cyclic;
    const audit = { record: () => undefined };
    const { registry } = mount(
      { actions: { echo: echo(() => cyclic) } },
      { environment: "development", audit },
    );
    const silenced = vi.spyOn(console, "error").mockReturnValue(undefined);
    const reported = vi.fn<() => void>();
    vi.stubGlobal("reportError", reported);
    const { browser } = await offer(registry);
    expect(read(await browser.call(ECHO, {}))).toMatchObject({ code: "EXECUTION_FAILED" });
    expect(reported).toHaveBeenCalledOnce();
    silenced.mockRestore();
    vi.unstubAllGlobals();
  });

  it("is given up with the browser's signal", async () => {
    let given: AbortSignal | undefined;
    const { registry } = mount({
      actions: {
        echo: {
          ...echo(),
          execute: (_input, { signal }) => {
            given = signal;
            return new Promise<JsonValue>(() => undefined);
          },
        },
      },
    });
    const { browser } = await offer(registry);
    const controller = new AbortController();
    const call = browser.call(ECHO, {}, controller.signal);
    controller.abort();
    expect(read(await call)).toMatchObject({ code: "CANCELLED" });
    expect(given?.aborted).toBe(true);
  });

  it("goes on when its tool is taken back meanwhile, and is told how it ended", async () => {
    const { promise, resolve } = deferred();
    const { registry, handle } = mount({ actions: { run: button(() => promise) } });
    const { browser } = await offer(registry);
    const call = browser.call(RUN);
    handle.update({ availability: { run: { available: false } } });
    await soon();
    expect(browser.names).toEqual([]);
    resolve();
    expect(read(await call)).toEqual({ output: null });
  });

  it("is refused where it comes for what is gone", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    const { browser } = await offer(registry);
    const { execute } = browser.tool(RUN);
    handle.unregister();
    await soon();
    expect(read(await execute({}))).toMatchObject({ code: "COMPONENT_UNMOUNTED" });
  });

  it("is refused by policies as any other consumer's", async () => {
    const { registry } = mount({
      actions: {
        run: button(undefined, {
          policies: [
            {
              name: "nobody",
              onAuthorize: () => {
                throw new AgentSurfaceError({ code: "NOT_AUTHORIZED", message: "Nobody", retry: "no" });
              },
            },
          ],
        }),
      },
    });
    const { browser } = await offer(registry);
    expect(read(await browser.call(RUN))).toMatchObject({ code: "NOT_AUTHORIZED" });
  });
});

describe("a call that the user has to approve", () => {
  const decide = (registry: AgentSurfaceRegistry, approved: boolean): void => {
    const [question] = registry.confirmations.pending();
    registry.confirmations.resolve(question?.confirmationId ?? "", { approved });
  };
  /** What the agent is told after the error. */
  const hint = ({ content }: WebMcpToolResult) => content[1]?.text;

  it("is told so, with how to go on, and is made once the same call comes again", async () => {
    const { registry, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    const asked = await browser.call(DISABLE, { reason: "Old" });
    expect(read(asked)).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
      retry: "with-confirmation",
      details: { effect: "destructive" },
    });
    expect(hint(asked)).toContain("call this tool again with the same input");
    expect(registry.confirmations.pending()).toMatchObject([
      { consumerKey: "webmcp:browser", input: { ids: ["d1"], reason: "Old" } },
    ]);
    decide(registry, true);
    expect(read(await browser.call(DISABLE, { reason: "Old" }))).toEqual({ output: null });
    expect(calls).toEqual([{ ids: ["d1"], reason: "Old" }]);
  });

  it("is made again without evidence where a server wants its own approval", async () => {
    const { registry } = mountProcedure(procedure("server-query"));
    const details = { origin: "server", confirmationId: "approval-7" };
    const payload = {
      code: "CONFIRMATION_REQUIRED",
      message: "Ask",
      retry: "with-confirmation",
      details,
    } as const;
    const execute = vi
      .fn<() => Promise<JsonValue>>()
      .mockRejectedValueOnce(new AgentSurfaceError(payload))
      .mockResolvedValue("done");
    registry.setProcedureExecutor({ execute });
    const { browser } = await offer(registry);
    const asked = await browser.call(DISABLE);
    expect(read(asked)).toMatchObject({ code: "CONFIRMATION_REQUIRED", details });
    expect(hint(asked)).toBeUndefined();
    expect(read(await browser.call(DISABLE))).toEqual({ output: "done" });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  it("asks its user once, however often it comes before the decision", async () => {
    const { registry, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    for (let times = 0; times < 3; times += 1) {
      expect(read(await browser.call(DISABLE))).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    }
    expect(registry.confirmations.pending()).toHaveLength(1);
    expect(calls).toEqual([]);
  });

  it("is made once for one approval: the next one asks again", async () => {
    const { registry, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    await browser.call(DISABLE);
    decide(registry, true);
    const answers = await Promise.all([browser.call(DISABLE), browser.call(DISABLE)]);
    expect(answers.map(read)).toMatchObject([{ output: null }, { code: "CONFIRMATION_REQUIRED" }]);
    expect(read(await browser.call(DISABLE))).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect(calls).toHaveLength(1);
  });

  it("is not made with another input than the user saw", async () => {
    const { registry, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    await browser.call(DISABLE, { reason: "Old" });
    decide(registry, true);
    expect(read(await browser.call(DISABLE, { reason: "New" }))).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
    });
    expect(calls).toEqual([]);
  });

  it("asks again where what the view adds to it has changed since", async () => {
    let ids = ["d1"];
    const { registry, calls } = mountProcedure(procedure("destructive", { bind: () => ({ ids }) }));
    const { browser } = await offer(registry);
    await browser.call(DISABLE);
    decide(registry, true);
    ids = ["d2"];
    expect(read(await browser.call(DISABLE))).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect(registry.confirmations.pending()).toMatchObject([{ input: { ids: ["d2"] } }]);
    expect(calls).toEqual([]);
  });

  it("is told of a denial, and not asked about again by itself", async () => {
    const { registry, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    await browser.call(DISABLE);
    decide(registry, false);
    expect(read(await browser.call(DISABLE))).toMatchObject({
      code: "CONFIRMATION_INVALID",
      retry: "no",
      details: { reason: "denied" },
    });
    expect(registry.confirmations.pending()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it("is told that the time is over", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    await browser.call(DISABLE);
    registry.confirmations.forceExpire(registry.confirmations.pending()[0]?.confirmationId ?? "");
    expect(read(await browser.call(DISABLE))).toMatchObject({
      code: "CONFIRMATION_INVALID",
      details: { reason: "expired" },
    });
    expect(read(await browser.call(DISABLE))).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
  });

  it("survives that the surface changes while the user is thinking", async () => {
    const { registry, handle, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    await browser.call(DISABLE);
    handle.invalidate();
    await soon();
    decide(registry, true);
    expect(read(await browser.call(DISABLE))).toEqual({ output: null });
    expect(calls).toHaveLength(1);
  });

  it("is not made for a component that was mounted anew, whatever was approved", async () => {
    const { registry, handle, definition, calls } = mountProcedure(procedure("destructive"));
    const { browser } = await offer(registry);
    await browser.call(DISABLE);
    decide(registry, true);
    handle.unregister();
    registry.register(definition);
    await soon();
    expect(read(await browser.call(DISABLE))).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect(calls).toEqual([]);
  });
});
