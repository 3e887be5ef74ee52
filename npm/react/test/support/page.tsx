import {
  createAgentSurfaceRegistry,
  type AgentComponentRuntimeBindings,
  type AgentInvocationResult,
  type AgentSurfaceEvent,
  type AgentSurfaceRegistry,
  type JsonValue,
  type RegistryOptions,
} from "@agent-surface/core";
import { AgentSurfaceProvider, useAgentComponent, type AgentComponentHandle } from "@agent-surface/react";
import { act, render } from "@testing-library/react";
import { StrictMode, type ReactElement, type ReactNode } from "react";
import { authority, contracts } from "./contracts.js";

type Definition = typeof contracts.counter;
type Bindings = AgentComponentRuntimeBindings<
  NonNullable<Definition["observations"]>,
  NonNullable<Definition["actions"]>
>;

/** What is bound in tests that are not about it. */
export function bindings(members: Partial<Bindings> = {}): Bindings {
  return {
    observations: { value: { read: () => 0 } },
    actions: { add: { execute: () => undefined }, reset: { execute: () => undefined } },
    ...members,
  };
}

/** A counter that always reads `value`, and shows it. */
export function Shows({
  value,
  onRender,
  contract = contracts.counter,
  children,
  ...members
}: Partial<Bindings> & {
  value: number;
  onRender?: (handle: AgentComponentHandle) => void;
  contract?: Definition;
  children?: ReactNode;
}) {
  const bound = bindings({ observations: { value: { read: () => value } }, ...members });
  const handle = useAgentComponent(contract, bound);
  onRender?.(handle);
  return (
    <output>
      {value}
      {children}
    </output>
  );
}

/** A registry for the contracts of these tests. */
export function open(options: RegistryOptions = {}): AgentSurfaceRegistry {
  return createAgentSurfaceRegistry({ authority, environment: "test", ...options });
}

/** A page with a registry, in which elements are shown one after another. */
export function page(options: RegistryOptions & { strict?: boolean } = {}) {
  const { strict = false, ...others } = options;
  const registry = open(others);
  const events: AgentSurfaceEvent[] = [];
  registry.subscribe((event) => events.push(event));
  const wrap = (ui: ReactElement, of = registry) => {
    const provided = <AgentSurfaceProvider registry={of}>{ui}</AgentSurfaceProvider>;
    return strict ? <StrictMode>{provided}</StrictMode> : provided;
  };
  const view = render(wrap(<></>));
  return {
    registry,
    events,
    view,
    show: (ui: ReactElement, of?: AgentSurfaceRegistry) => view.rerender(wrap(ui, of)),
    /** The same in an `act()` that waits for what waits. */
    settle: (change: () => void = () => undefined) => act(async () => change()),
    text: () => view.container.textContent,
    /** How the one component is registered. */
    component: () => registry.snapshot().components[0],
    read: (instanceId?: string) => use(registry, "value", undefined, instanceId),
    use: (name: string, input?: JsonValue, instanceId?: string) => use(registry, name, input, instanceId),
  };
}

/** Uses a capability of the counter; its output, or the code that it failed with. */
async function use(
  registry: AgentSurfaceRegistry,
  name: string,
  input: JsonValue | undefined,
  instanceId: string | undefined,
): Promise<JsonValue | undefined> {
  let result: AgentInvocationResult | undefined;
  await act(async () => {
    result = await registry.invoke({
      capabilityId: `view:demo.counter.${name}`,
      ...(input !== undefined && { input }),
      ...(instanceId !== undefined && { instanceId }),
    });
  });
  return result?.status === "error" ? result.error.code : result?.output;
}
