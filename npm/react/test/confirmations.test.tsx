// @vitest-environment jsdom
import type { AgentSurfaceRegistry } from "@agent-surface/core";
import { AgentSurfaceProvider, useAgentComponent, usePendingConfirmations } from "@agent-surface/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { contracts } from "./support/contracts.js";
import { open } from "./support/page.js";

const complaints = vi.spyOn(console, "error");
beforeEach(() => void complaints.mockClear());
afterEach(cleanup);

const typed: number[] = [];
const renderings = vi.fn<(count: number) => void>();

function Dialogs() {
  const confirmations = usePendingConfirmations();
  renderings(confirmations.length);
  return confirmations.map((pending) => (
    <dialog key={pending.confirmationId} open>
      {pending.summary}
      <button onClick={() => pending.approve()}>Yes</button>
      <button onClick={() => pending.deny("no thanks")}>No</button>
    </dialog>
  ));
}

function Safe() {
  useAgentComponent(contracts.safe, { actions: { open: { execute: ({ code }) => void typed.push(code) } } });
  return null;
}

function page(registry: AgentSurfaceRegistry) {
  return (
    <AgentSurfaceProvider registry={registry}>
      <Safe />
      <Dialogs />
    </AgentSurfaceProvider>
  );
}

/** Types a code into the safe; what comes of it, and the confirmation that it asks for. */
async function type(registry: AgentSurfaceRegistry, code: number, confirmationId?: string) {
  const result = await act(() =>
    registry.invoke({
      capabilityId: "view:demo.safe.open",
      input: { code },
      ...(confirmationId !== undefined && { confirmationId }),
    }),
  );
  if (result.status === "ok") return { code: "OK" };
  return { code: result.error.code, confirmationId: result.error.details?.["confirmationId"] as string };
}

it("what is pending is shown, and a click decides it", async () => {
  const registry = open();
  render(page(registry));
  const { code, confirmationId } = await type(registry, 42);
  expect(code).toBe("CONFIRMATION_REQUIRED");
  expect(screen.getByText(/Open the safe/).textContent).toContain("42");
  fireEvent.click(screen.getByText("Yes"));
  expect(screen.queryByText(/Open the safe/)).toBeNull();
  expect(await type(registry, 42, confirmationId)).toEqual({ code: "OK" });
  expect(typed).toEqual([42]);
});

it("what is denied is gone, and worth nothing", async () => {
  const registry = open();
  render(page(registry));
  const { confirmationId } = await type(registry, 1);
  fireEvent.click(screen.getByText("No"));
  expect(screen.queryByText(/Open the safe/)).toBeNull();
  expect(await type(registry, 1, confirmationId)).toMatchObject({ code: "CONFIRMATION_INVALID" });
});

it("what expires is gone by itself", async () => {
  vi.useFakeTimers();
  try {
    const registry = open();
    render(page(registry));
    await type(registry, 1);
    expect(screen.getByText(/Open the safe/)).toBeDefined();
    act(() => void vi.advanceTimersByTime(120_001));
    expect(screen.queryByText(/Open the safe/)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it("the list is the same one until something is added or decided, and so are the records in it", async () => {
  const registry = open();
  const lists: unknown[][] = [];
  function Lists({ round }: { round: number }) {
    lists.push([round, usePendingConfirmations()]);
    return null;
  }
  const at = (round: number) => (
    <AgentSurfaceProvider registry={registry}>
      <Safe />
      <Lists round={round} />
    </AgentSurfaceProvider>
  );
  const view = render(at(1));
  await type(registry, 1);
  view.rerender(at(2));
  await type(registry, 2);
  const [, first, again, second] = lists.map(([, list]) => list as object[]);
  expect(again).toBe(first);
  expect(second?.[0]).toBe(first?.[0]);
  expect(second).toHaveLength(2);
});

it("what was pending before the hook subscribed is not missed, nor what another registry has", async () => {
  const [first, second] = [open(), open()];
  const view = render(
    <AgentSurfaceProvider registry={first}>
      <Safe />
    </AgentSurfaceProvider>,
  );
  await type(first, 7);
  view.rerender(page(first));
  expect(screen.getByText(/Open the safe/)).toBeDefined();
  view.rerender(page(second));
  expect(screen.queryByText(/Open the safe/)).toBeNull();
});

it("what is pending while a page is hydrated is shown after it, without a difference", async () => {
  const registry = open();
  const handle = registry.register(contracts.safe.bind({ actions: { open: { execute: () => undefined } } }));
  await type(registry, 3);
  const root = document.createElement("main");
  root.innerHTML = renderToString(page(registry));
  expect(root.textContent).toBe("");
  renderings.mockClear();
  await act(async () => {
    hydrateRoot(root, page(registry));
  });
  expect(renderings.mock.calls.map(([count]) => count)).toEqual([0, 1]);
  expect(root.textContent).toContain("Open the safe");
  expect(complaints).not.toHaveBeenCalled();
  handle.unregister();
});
