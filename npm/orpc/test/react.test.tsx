// @vitest-environment jsdom
import { createAgentSurfaceRegistry, defineAgentProcedureContract } from "@agent-surface/core";
import { useAgentProcedure } from "@agent-surface/orpc/react";
import { AgentSurfaceProvider, unstable_setRenderScopeContext } from "@agent-surface/react";
import { act, cleanup, render } from "@testing-library/react";
import { Component, StrictMode, startTransition, useLayoutEffect, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { compile } from "./support/compile.js";
import { authority, connect, contracts, open, type Disable } from "./support/devices.js";
import { page, Table } from "./support/page.js";

afterEach(cleanup);

/** React 18 reports to the page even what a boundary has caught. */
const quiet = (event: Event) => event.preventDefault();

it("a procedure is there while its component is mounted, and is told as the component sees it", () => {
  const { bridge, view, procedures } = page();
  view.rerender(<Table bridge={bridge} selected={["d1", "d2"]} />);
  expect(procedures()).toMatchObject([
    {
      procedureId: "domain:devices.disable",
      description: "Disable the given devices",
      contextualNote: "2 selected",
      available: true,
      boundFields: [{ path: "deviceIds", locked: true, source: "ui-state" }],
      inputSchema: { properties: { reason: { type: "string" } } },
    },
  ]);
  view.unmount();
  expect(procedures()).toEqual([]);
});

it("a call is made with what the last commit binds", async () => {
  const { bridge, view, disable, calls } = page();
  view.rerender(<Table bridge={bridge} selected={["d1"]} />);
  view.rerender(<Table bridge={bridge} selected={["d2", "d3"]} />);
  expect(await disable({ reason: "noise" })).toMatchObject({ status: "ok", output: { disabled: 2 } });
  expect(calls).toMatchObject([{ input: { deviceIds: ["d2", "d3"], reason: "noise" } }]);
});

it("what a layout effect of the same commit calls has the bindings of that commit", async () => {
  const { bridge, view, disable, calls } = page();
  function Caller() {
    useLayoutEffect(() => void disable(), []);
    return null;
  }
  view.rerender(<Table bridge={bridge} selected={["d1"]} />);
  await act(async () =>
    view.rerender(
      <Table bridge={bridge} selected={["d9"]}>
        <Caller />
      </Table>,
    ),
  );
  expect(calls).toMatchObject([{ input: { deviceIds: ["d9"] } }]);
});

it("a render that React gave up binds nothing", async () => {
  const { bridge, view, disable, calls } = page();
  const never = new Promise<never>(() => undefined);
  function Suspending({ selected }: { selected: string[] }) {
    useAgentProcedure(contracts.disable, bridge.refs.devices.disable, {
      bind: () => ({ deviceIds: selected }),
    });
    if (selected[0] === "d2") throw never;
    return null;
  }
  view.rerender(<Suspending selected={["d1"]} />);
  await act(async () => {
    startTransition(() => view.rerender(<Suspending selected={["d2"]} />));
  });
  await disable();
  expect(calls).toMatchObject([{ input: { deviceIds: ["d1"] } }]);
});

it("availability is pushed with the commit that changes it, and only then", () => {
  const { bridge, view, registry, procedures } = page();
  view.rerender(<Table bridge={bridge} selected={[]} />);
  const [before] = procedures();
  expect(before).toMatchObject({ available: false, unavailableReason: "Select a device first" });
  view.rerender(<Table bridge={bridge} selected={["d1"]} />);
  view.rerender(<Table bridge={bridge} selected={["d2"]} />);
  const [after] = procedures();
  expect(after).toMatchObject({ available: true, registrationId: before?.registrationId });
  expect(registry.getVersion()).toBe("2");
});

it("an agent can't set what the component binds", async () => {
  const { bridge, view, disable, calls } = page();
  view.rerender(<Table bridge={bridge} selected={["d1"]} />);
  expect(await disable({ deviceIds: ["d7"] })).toMatchObject({
    error: { code: "INVALID_INPUT", details: { lockedFields: ["deviceIds"] } },
  });
  expect(calls).toEqual([]);
});

it("a bind() that throws at first is registered anew once it can say what it binds, and never lets the agent say it", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const { bridge, view, disable, calls, procedures } = page();
  let one: { id: string } | undefined;
  function One() {
    useAgentProcedure(contracts.disable, bridge.refs.devices.disable, {
      bind: () => ({ deviceIds: [one?.id ?? fail()] }),
    });
    return null;
  }
  view.rerender(<One />);
  expect(procedures()).toMatchObject([{ boundFields: [] }]);
  expect(await disable({ deviceIds: ["d7"] })).toMatchObject({
    error: { code: "PRECONDITION_FAILED", details: { reason: "binding-failed" } },
  });
  one = { id: "d1" };
  expect(await disable({ deviceIds: ["d7"] })).toMatchObject({ error: { code: "PRECONDITION_FAILED" } });
  view.rerender(<One />);
  expect(procedures()).toMatchObject([{ boundFields: [{ path: "deviceIds", locked: true }] }]);
  expect(await disable()).toMatchObject({ status: "ok" });
  one = undefined;
  view.rerender(<One />);
  expect(await disable()).toMatchObject({ error: { code: "PRECONDITION_FAILED" } });
  expect(procedures()).toMatchObject([{ boundFields: [{ path: "deviceIds", locked: true }] }]);
  expect(calls).toHaveLength(1);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("bind() of domain:devices.disable threw"));
  warn.mockRestore();
});

it("fields that may be set all the same stay in the schema, and another list of them is another registration", () => {
  const { bridge, view, procedures } = page();
  function Overridable({ fields }: { fields: "reason"[] }) {
    useAgentProcedure<Disable, { disabled: number }>(contracts.disable, bridge.refs.devices.disable, {
      bind: () => ({ deviceIds: ["d1"], reason: "spring cleaning" }),
      overridableFields: fields,
    });
    return null;
  }
  view.rerender(<Overridable fields={["reason"]} />);
  const [before] = procedures();
  expect(before?.boundFields).toEqual([
    { path: "deviceIds", locked: true, source: "ui-state" },
    { path: "reason", locked: false, source: "ui-state" },
  ]);
  expect(Object.keys(before?.inputSchema["properties"] as object)).toEqual(["reason"]);
  view.rerender(<Overridable fields={["reason"]} />);
  expect(procedures()[0]?.registrationId).toBe(before?.registrationId);
  view.rerender(<Overridable fields={[]} />);
  expect(procedures()[0]).toMatchObject({ inputSchema: { properties: {} } });
  expect(procedures()[0]?.registrationId).not.toBe(before?.registrationId);
});

it("AS-BIND-004 a procedure says which component it belongs to: the one whose hook stands before it", () => {
  const { bridge, view, procedures } = page();
  function Row({ id }: { id: string }) {
    unstable_setRenderScopeContext({ type: "devices.row", instanceId: id });
    return <Table bridge={bridge} selected={[id]} />;
  }
  view.rerender(<Row id="d1" />);
  expect(procedures()[0]?.context).toEqual({ type: "devices.row", instanceId: "d1" });
});

it("a component of another registry, or with another reference, registers there and nowhere else", () => {
  const [here, there] = [connect(), connect()];
  const registries = [open(here), open(there)] as const;
  const shown = (at: 0 | 1, { bridge }: typeof here) => (
    <AgentSurfaceProvider registry={registries[at]}>
      <Table bridge={bridge} selected={["d1"]} />
    </AgentSurfaceProvider>
  );
  const view = render(shown(0, here));
  const counts = () => registries.map((registry) => registry.snapshot().procedures.length);
  const [first] = registries[0].snapshot().procedures;
  view.rerender(shown(0, there));
  expect(registries[0].snapshot().procedures[0]?.registrationId).not.toBe(first?.registrationId);
  expect(counts()).toEqual([1, 0]);
  view.rerender(shown(1, there));
  expect(counts()).toEqual([0, 1]);
});

it("asks for the consent that the contract asks for, and for more where the component says so", () => {
  const { bridge, view, procedures } = page();
  function Careful({ confirmation }: { confirmation?: "required" }) {
    useAgentProcedure(contracts.disable, bridge.refs.devices.disable, {
      ...(confirmation && { confirmation }),
    });
    return null;
  }
  view.rerender(<Careful />);
  expect(procedures()[0]?.confirmation).toBe("optional");
  view.rerender(<Careful confirmation="required" />);
  expect(procedures()[0]?.confirmation).toBe("required");
});

it("a contract that asks the user needs no word of the component for it", () => {
  const app = connect();
  const strict = compile({
    disable: defineAgentProcedureContract<Disable, { disabled: number }>({
      ...contracts.disable.definition,
      confirmation: "required",
    }),
  });
  const registry = createAgentSurfaceRegistry({ authority: strict.authority, environment: "test" });
  registry.setProcedureExecutor(app.bridge.executor);
  function Strict() {
    useAgentProcedure(strict.contracts.disable, app.bridge.refs.devices.disable, {
      bind: () => ({ deviceIds: ["d1"] }),
    });
    return null;
  }
  render(
    <AgentSurfaceProvider registry={registry}>
      <Strict />
    </AgentSurfaceProvider>,
  );
  expect(registry.snapshot().procedures).toMatchObject([{ confirmation: "required" }]);
});

it("a when() that throws makes it unavailable, and a reason that throws is none", () => {
  const { bridge, view, procedures } = page();
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  function Broken({ works }: { works: boolean }) {
    useAgentProcedure(contracts.disable, bridge.refs.devices.disable, {
      when: () => works || fail(),
      unavailableReason: () => fail(),
    });
    return null;
  }
  view.rerender(<Broken works />);
  expect(procedures()).toMatchObject([{ available: true }]);
  view.rerender(<Broken works={false} />);
  expect(procedures()).toMatchObject([{ available: false, unavailableReason: "Currently unavailable" }]);
  view.rerender(<Broken works />);
  expect(procedures()).toMatchObject([{ available: true }]);
  warn.mockRestore();
});

it("AS-BIND-003 a reference that no bridge has made registers nothing, not even a copy of one", () => {
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  const { bridge, view, procedures } = page();
  const copy = { ...bridge.refs.devices.disable };
  function Forged() {
    useAgentProcedure(contracts.disable, copy);
    return null;
  }
  view.rerender(<Forged />);
  view.rerender(<Forged />);
  expect(procedures()).toEqual([]);
  expect(error).toHaveBeenCalledTimes(1);
  expect(error).toHaveBeenCalledWith(
    expect.stringContaining('"domain:devices.disable" is no reference of a bridge'),
  );
  error.mockRestore();
});

it("a procedure that differs from its contract is refused where an error boundary sees it", () => {
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  window.addEventListener("error", quiet);
  const { bridge, view } = page();
  function Wrong() {
    useAgentProcedure(contracts.list as never, bridge.refs.devices.disable);
    return null;
  }
  class Boundary extends Component<{ children: ReactNode }> {
    override state = { message: "" };
    static getDerivedStateFromError({ message }: Error) {
      return { message };
    }
    override render() {
      return this.state.message || this.props.children;
    }
  }
  view.rerender(
    <Boundary>
      <Wrong />
    </Boundary>,
  );
  expect(view.container.textContent).toContain("[INVALID_DEFINITION]");
  window.removeEventListener("error", quiet);
  error.mockRestore();
});

it("a procedure that policies hide is in no snapshot, and answers as if it were not there", async () => {
  const app = connect();
  const registry = createAgentSurfaceRegistry({
    authority,
    environment: "test",
    policies: [{ name: "nobody", onDiscovery: () => ({ decision: "hide" }) }],
  });
  registry.setProcedureExecutor(app.bridge.executor);
  render(
    <AgentSurfaceProvider registry={registry}>
      <Table bridge={app.bridge} selected={["d1"]} />
    </AgentSurfaceProvider>,
  );
  expect(registry.snapshot().procedures).toEqual([]);
  expect(await registry.invoke({ capabilityId: "domain:devices.disable", input: {} })).toMatchObject({
    error: { code: "CAPABILITY_NOT_FOUND" },
  });
  expect(app.calls).toEqual([]);
});

it("a server registers nothing", () => {
  const app = connect();
  const registry = open(app);
  const html = renderToString(
    <AgentSurfaceProvider registry={registry}>
      <Table bridge={app.bridge} selected={["d1"]}>
        1 device
      </Table>
    </AgentSurfaceProvider>,
  );
  expect(html).toBe("1 device");
  expect(registry.snapshot().procedures).toEqual([]);
});

it("a module of contracts that is replaced while the page lives is another registration, and works", async () => {
  const { bridge, view, procedures, disable } = page();
  function Hot({ contract }: { contract: typeof contracts.disable }) {
    useAgentProcedure(contract, bridge.refs.devices.disable, { bind: () => ({ deviceIds: ["d1"] }) });
    return null;
  }
  view.rerender(<Hot contract={contracts.disable} />);
  const [before] = procedures();
  view.rerender(<Hot contract={compile(contracts).contracts.disable} />);
  expect(procedures()).toHaveLength(1);
  expect(procedures()[0]?.registrationId).not.toBe(before?.registrationId);
  expect(await disable()).toMatchObject({ status: "ok" });
});

it("strict mode ends with one registration, and unmounting with none", () => {
  const { bridge, view, procedures } = page();
  view.rerender(
    <StrictMode>
      <Table bridge={bridge} selected={["d1"]} />
    </StrictMode>,
  );
  expect(procedures()).toHaveLength(1);
  view.unmount();
  expect(procedures()).toHaveLength(0);
});

it("a call that is under way when its component goes is answered, and its signal aborts", async () => {
  const { bridge, view, disable, client } = page();
  let signal: AbortSignal | undefined;
  client.devices.disable = (_, options) => {
    signal = options?.signal;
    return new Promise(() => undefined);
  };
  view.rerender(<Table bridge={bridge} selected={["d1"]} />);
  const result = disable();
  view.unmount();
  expect(await result).toMatchObject({ error: { code: "COMPONENT_UNMOUNTED" } });
  expect(signal?.aborted).toBe(true);
});

function fail(): never {
  throw new Error("nothing is selected");
}
