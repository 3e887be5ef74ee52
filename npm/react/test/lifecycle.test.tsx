// @vitest-environment jsdom
/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { requireConfirmation, type AgentComponentDefinition } from "@agent-surface/core";
import { useAgentComponent, useAgentSurface, type AgentComponentHandle } from "@agent-surface/react";
import { cleanup, render } from "@testing-library/react";
import { Component, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compile } from "./support/compile.js";
import { contracts } from "./support/contracts.js";
import { bindings, open, page, Shows } from "./support/page.js";

const complaints = vi.spyOn(console, "error");
beforeEach(() => void complaints.mockReset().mockImplementation(() => undefined));
afterEach(cleanup);

describe.each([
  ["", false],
  [" in Strict Mode", true],
])("a component%s", (_, strict) => {
  it("is registered while it is mounted, and gone when it is not", async () => {
    const { show, component, read, use } = page({ strict });
    expect(component()).toBeUndefined();
    show(<Shows value={5} />);
    expect(component()).toMatchObject({ type: "demo.counter", instanceId: "default" });
    expect(await read()).toBe(5);
    show(<></>);
    expect(component()).toBeUndefined();
    expect(await use("add", 1)).toBe("COMPONENT_UNMOUNTED");
    expect(complaints).not.toHaveBeenCalled();
  });

  it("leaves as many registrations as it makes", () => {
    const { show, events } = page({ strict });
    show(<Shows value={1} />);
    show(<Shows value={2} key="other" />);
    show(<></>);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count("component-registered")).toBe(strict ? 4 : 2);
    expect(count("component-unregistered")).toBe(count("component-registered"));
    expect(count("component-rejected")).toBe(0);
  });

  it("keeps its registration from one rendering to the next", () => {
    const { show, component, registry } = page({ strict });
    show(<Shows value={1} />);
    const [before, version] = [component()?.registrationId, registry.getVersion()];
    show(<Shows value={2} />);
    expect(component()?.registrationId).toBe(before);
    expect(registry.getVersion()).toBe(version);
  });

  it("is another registration as another instance, and the old one is stale", async () => {
    const { show, component, registry } = page({ strict });
    show(<Shows value={1} instanceId="first" />);
    const { registrationId = "" } = component() ?? {};
    show(<Shows value={2} instanceId="second" />);
    expect(component()).toMatchObject({ instanceId: "second" });
    expect(component()?.registrationId).not.toBe(registrationId);
    const late = await registry.invoke({ capabilityId: "view:demo.counter.value", registrationId });
    expect(late).toMatchObject({ status: "error" });
    expect(complaints).not.toHaveBeenCalled();
  });

  it("moves to another registry with its provider", async () => {
    const { show, component } = page({ strict });
    const other = open();
    show(<Shows value={1} />);
    show(<Shows value={1} />, other);
    expect(component()).toBeUndefined();
    expect(other.snapshot().components).toHaveLength(1);
    expect(complaints).not.toHaveBeenCalled();
  });
});

it("components of several instances stand beside each other", async () => {
  const { show, read } = page();
  show(
    <>
      <Shows value={1} instanceId="first" />
      <Shows value={2} instanceId="second" />
    </>,
  );
  expect([await read("first"), await read("second"), await read()]).toEqual([1, 2, "AMBIGUOUS_INSTANCE"]);
});

it("a contract that is replaced while its component is mounted is registered anew, as hot reload does", () => {
  const { show, component } = page();
  const { counter } = compile(contracts).contracts;
  show(<Shows value={1} />);
  const before = component();
  show(<Shows value={1} contract={counter} />);
  expect(component()?.registrationId).not.toBe(before?.registrationId);
  expect(component()?.actions).toEqual(before?.actions);
  expect(complaints).not.toHaveBeenCalled();
});

describe("a component that changes what a registration keeps", () => {
  const noop = () => undefined;
  const reset = { execute: noop };

  it.each<[string, Partial<ReturnType<typeof bindings>>]>([
    ["its parent", { parent: { type: "demo.page" } }],
    ["its policies", { policies: [requireConfirmation()] }],
    ["a `when`", { actions: { add: { execute: noop, when: () => true }, reset } }],
    ["a precondition", { actions: { add: { execute: noop, precondition: noop }, reset } }],
    [
      "a capability's policies",
      { actions: { add: { execute: noop, policies: [requireConfirmation()] }, reset } },
    ],
    ["an observation's `when`", { observations: { value: { read: () => 0, when: () => false } } }],
  ])("by %s is registered anew, and the console is told", (_, change) => {
    const { show, component } = page();
    show(<Shows value={1} />);
    const before = component()?.registrationId;
    show(<Shows value={1} {...change} />);
    expect(component()?.registrationId).not.toBe(before);
    expect(complaints).toHaveBeenCalledOnce();
    expect(complaints).toHaveBeenCalledWith(
      expect.stringContaining('"demo.counter" (default) changed while'),
    );
    show(<Shows value={2} {...change} />);
    expect(complaints).toHaveBeenCalledOnce();
  });

  it("by policies that only are other objects keeps its registration", () => {
    const { show, component } = page();
    show(<Shows value={1} policies={[requireConfirmation()]} />);
    const before = component()?.registrationId;
    show(<Shows value={1} policies={[requireConfirmation()]} />);
    expect(component()?.registrationId).toBe(before);
    expect(complaints).not.toHaveBeenCalled();
  });
});

describe("what a hook returns", () => {
  it("is pending at first, then the registration, whichever that is", () => {
    const handles: AgentComponentHandle[] = [];
    const { show, component } = page();
    show(<Shows value={1} onRender={(handle) => handles.push(handle)} />);
    expect(handles).toEqual([
      { registrationId: undefined, status: "pending" },
      { registrationId: component()?.registrationId, status: "active" },
    ]);
    show(<Shows value={1} instanceId="other" onRender={(handle) => handles.push(handle)} />);
    expect(handles.at(-1)).toEqual({ registrationId: component()?.registrationId, status: "active" });
  });

  it("says that a component is rejected", () => {
    const handles: AgentComponentHandle[] = [];
    const { show, registry } = page();
    show(
      <>
        <Shows value={1} />
        <Shows value={2} onRender={(handle) => handles.push(handle)} />
      </>,
    );
    expect(handles.at(-1)).toEqual({ registrationId: undefined, status: "rejected" });
    expect(registry.snapshot().components).toHaveLength(1);
  });
});

describe("what is wrong with an app's code", () => {
  /** Shows the message of what its children throw. */
  class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
    override state: { message?: string } = {};
    static getDerivedStateFromError(error: Error) {
      return { message: error.message };
    }
    override render() {
      return this.state.message ?? this.props.children;
    }
  }
  // React 18 reports to the window what a boundary catches, and jsdom to the console.
  const silence = (event: Event) => event.preventDefault();
  beforeEach(() => window.addEventListener("error", silence));
  afterEach(() => window.removeEventListener("error", silence));

  it("is said where there is no provider", () => {
    const Alone = () => void useAgentSurface();
    const view = render(<Boundary>{<Alone />}</Boundary>);
    expect(view.container.textContent).toContain("no <AgentSurfaceProvider> above this component");
  });

  it("is said where a declared capability has no handler", () => {
    const { show, text, component } = page();
    show(<Boundary>{<Shows value={1} actions={{} as never} />}</Boundary>);
    expect(text()).toContain('contract "demo.counter" action "add" has no runtime binding');
    expect(component()).toBeUndefined();
  });

  it("is what a registry refuses: an instance against the grammar, a contract that no compiler has seen", () => {
    const { show, text } = page();
    show(<Boundary key="instance">{<Shows value={1} instanceId="a b" />}</Boundary>);
    expect(text()).toContain("a b");
    function Unproven() {
      const bind = (bound: Parameters<typeof contracts.counter.bind>[0]): AgentComponentDefinition => ({
        ...contracts.counter.bind(bound),
      });
      useAgentComponent({ ...contracts.counter, bind }, bindings());
      return null;
    }
    show(<Boundary key="unproven">{<Unproven />}</Boundary>);
    expect(text()).toContain("was not bound from a compiled contract");
  });
});
