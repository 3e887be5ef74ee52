// @vitest-environment jsdom
/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { useAgentComponent, usePendingConfirmations } from "@agent-surface/react";
import { renderAgentSurface } from "@agent-surface/testing/react";
import { Profiler, StrictMode, useState, type ReactElement } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { authority, contracts } from "../../react/test/support/contracts.js";
import "@agent-surface/testing/vitest";

const complaints = vi.spyOn(console, "error");
beforeEach(() => void complaints.mockClear());

function Counter({
  add = (by, set) => set(by),
}: {
  add?: (by: number, set: (by: number) => void) => unknown;
}) {
  const [value, setValue] = useState(0);
  useAgentComponent(contracts.counter, {
    observations: { value: { read: () => value } },
    actions: {
      add: { execute: (by) => add(by, (by) => setValue((n) => n + by)) as void },
      reset: { when: () => value > 0, unavailableReason: "It is 0", execute: () => setValue(0) },
    },
  });
  return <output>{value}</output>;
}

function Safe() {
  const pending = usePendingConfirmations();
  useAgentComponent(contracts.safe, { actions: { open: { execute: () => undefined } } });
  return <p>{pending.map(({ summary }) => summary)}</p>;
}

describe("a rendered surface", () => {
  it("has its components registered when it is there", async () => {
    const surface = await renderAgentSurface(<Counter />, { authority });
    expect(surface).toExpose("view:demo.counter.value");
    expect(surface).toExposeUnavailable("view:demo.counter.reset", { reason: "It is 0" });
    surface.dispose();
    expect(surface.view.container.textContent).toBe("");
  });

  it("shows what an invocation did when the invocation returns", async () => {
    const surface = await renderAgentSurface(
      <StrictMode>
        <Counter />
      </StrictMode>,
      { authority },
    );
    expect(await surface.invoke("view:demo.counter.add", 3)).toBeOk();
    expect(surface.view.container.textContent).toBe("3");
    expect(await surface.observe("view:demo.counter.value")).toBe(3);
    expect(surface).toExpose("view:demo.counter.reset");
    expect(complaints).not.toHaveBeenCalled();
  });

  it("commits what a handler does after it has waited", async () => {
    const later = async (by: number, set: (by: number) => void) => {
      await Promise.resolve();
      set(by);
      void Promise.resolve().then(() => set(10 * by));
    };
    const surface = await renderAgentSurface(<Counter add={later} />, { authority });
    expect(await surface.invoke("view:demo.counter.add", 1)).toBeOk();
    expect(surface.view.container.textContent).toBe("11");
    expect(complaints).not.toHaveBeenCalled();
  });

  it("lets a handler wait until the page has changed", async () => {
    let onCommit = (): void => undefined;
    const add = (by: number, set: (by: number) => void) =>
      new Promise<void>((resolve) => {
        onCommit = resolve;
        set(by);
      });
    function Page() {
      return (
        <Profiler id="page" onRender={() => onCommit()}>
          <Counter add={add} />
        </Profiler>
      );
    }
    const surface = await renderAgentSurface(<Page />, { authority });
    expect(await surface.invoke("view:demo.counter.add", 2)).toBeOk();
    expect(surface.view.container.textContent).toBe("2");
  });

  it("takes invocations that overlap", async () => {
    const surface = await renderAgentSurface(<Counter add={async (by, set) => set(by)} />, { authority });
    const results = await Promise.all([1, 2, 3].map((by) => surface.invoke("view:demo.counter.add", by)));
    for (const result of results) expect(result).toBeOk();
    expect(surface.view.container.textContent).toBe("6");
    expect(await surface.invoke("view:demo.counter.reset", {})).toBeOk();
    expect(surface.view.container.textContent).toBe("0");
    expect(complaints).not.toHaveBeenCalled();
  });

  it("answers what is under way when its component is unmounted", async () => {
    const surface = await renderAgentSurface(<Counter add={() => new Promise(() => undefined)} />, {
      authority,
    });
    const pending = surface.invoke("view:demo.counter.add", 1);
    surface.unmount();
    expect(await pending).toFailWith("COMPONENT_UNMOUNTED", { phase: "mid-flight" });
    expect(await surface.invoke("view:demo.counter.add", 1)).toFailWith("COMPONENT_UNMOUNTED");
  });

  it("gives another registration to a component with another key", async () => {
    const surface = await renderAgentSurface(<Counter key="a" />, { authority });
    const { registrationId } = surface.captureRef("view:demo.counter.add");
    surface.rerender(<Counter key="b" />);
    const late = await surface.invoke("view:demo.counter.add", 1, { registrationId });
    expect(late).toFailWith("STALE_CAPABILITY", { reason: "registration-replaced" });
  });

  it("shows a pending confirmation, until it is decided", async () => {
    const surface = await renderAgentSurface(<Safe />, { authority });
    for (const decide of ["approve", "deny", "expire"] as const) {
      expect(await surface.invoke("view:demo.safe.open", { code: 1 })).toFailWith("CONFIRMATION_REQUIRED");
      expect(surface.view.container.textContent).toContain("Open the safe");
      surface.confirmations[decide]();
      expect(surface.view.container.textContent).toBe("");
    }
  });

  it("stands in the wrapper", async () => {
    const surface = await renderAgentSurface(<Counter />, {
      authority,
      wrapper: ({ children }) => <main>{children}</main>,
    });
    expect(surface.view.container.innerHTML).toBe("<main><output>0</output></main>");
  });
});

describe("a component that fails", () => {
  // React 18 reports to the window what a boundary catches, and jsdom to the console.
  const silence = (event: Event) => event.preventDefault();
  beforeEach(() => {
    complaints.mockImplementation(() => undefined);
    window.addEventListener("error", silence);
  });
  afterEach(() => {
    complaints.mockReset();
    window.removeEventListener("error", silence);
  });

  function Broken({ message = "" }: { message?: string }): ReactElement {
    throw new RangeError(message);
  }

  it("is what rendering it throws, with the components it stood in", async () => {
    const failure = await renderAgentSurface(
      <main>
        <Broken message="too far" />
      </main>,
      { authority },
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "RangeError", message: "too far" });
    expect(failure).toHaveProperty("componentStack", expect.stringMatching(/Broken[^]*main/));
    expect(failure).toHaveProperty("cause", expect.any(RangeError));
  });

  it("has a message even if its error has none", async () => {
    await expect(renderAgentSurface(<Broken />, { authority })).rejects.toThrow(
      "RangeError thrown while rendering the scenario (no message)",
    );
  });

  it("is thrown by the rendering, decision or invocation that it fails in", async () => {
    const surface = await renderAgentSurface(<Counter />, { authority });
    expect(() => surface.rerender(<Broken message="later" />)).toThrow("later");
  });

  it("is one that the registry refuses", async () => {
    function Unproven() {
      useAgentComponent(
        { ...contracts.counter, bind: (bindings) => ({ ...contracts.counter.bind(bindings) }) },
        {
          observations: { value: { read: () => 0 } },
          actions: { add: { execute: () => undefined }, reset: { execute: () => undefined } },
        },
      );
      return null;
    }
    await expect(renderAgentSurface(<Unproven />, { authority })).rejects.toThrow(
      "was not bound from a compiled",
    );
  });
});

describe("with timers that the test holds", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("renders, invokes, and lets a handler run out of time", async () => {
    const hang = (by: number, set: (by: number) => void) =>
      by === 0 ? new Promise<void>(() => undefined) : set(by);
    const surface = await renderAgentSurface(<Counter add={hang} />, { authority });
    expect(await surface.invoke("view:demo.counter.add", 4)).toBeOk();
    expect(surface.view.container.textContent).toBe("4");
    const pending = surface.invoke("view:demo.counter.add", 0);
    vi.advanceTimersByTime(10_000);
    expect(await pending).toFailWith("TIMEOUT");
    surface.dispose();
  });
});
