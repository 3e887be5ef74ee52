/**
 * A test surface over rendered React components.
 *
 * @packageDocumentation
 */
import { AgentSurfaceProvider } from "@agent-surface/react";
import { act, queries, render, type RenderResult } from "@testing-library/react";
import { createElement, createRef, type ComponentType, type ReactElement, type ReactNode } from "react";
import { acting } from "./acting.js";
import { Boundary, RenderError, type Failure } from "./boundary.js";
import { createTestSurface, observe, type TestSurface, type TestSurfaceOptions } from "./harness.js";

/** What a test has, or wants to have. */
export interface RenderAgentSurfaceOptions extends TestSurfaceOptions {
  /** Stands around the provider: routers, query clients and the like. */
  wrapper?: ComponentType<{ children: ReactNode }>;
}

/** A surface, and what is rendered for it. */
export interface RenderedAgentSurface extends TestSurface {
  /** What `render()` of Testing Library returned. */
  readonly view: RenderResult;
  /** Renders other elements in the same place. @throws what rendering them throws */
  rerender(ui: ReactElement): void;
  /** Takes the components away, and leaves the surface. */
  unmount(): void;
}

/**
 * Renders elements below a provider of the surface's registry. When it settles, effects have run and the components are
 * registered. What invocations, decisions and renderings change is committed when they return.
 *
 * @throws what the components throw while they are rendered or in their effects, with React's stack of components
 */
export async function renderAgentSurface(
  ui: ReactElement,
  options: RenderAgentSurfaceOptions = {},
): Promise<RenderedAgentSurface> {
  const surface = createTestSurface(options);
  const Wrapper = options.wrapper;
  const boundary = createRef<Boundary>();
  let failure: Failure | undefined;

  const onFailure = (next: Failure): void => {
    failure ??= next;
  };
  const rethrow = (): void => {
    if (failure !== undefined) throw new RenderError(failure);
  };
  const wrap = (element: ReactElement): ReactElement => {
    const provided = createElement(AgentSurfaceProvider, { registry: surface.registry, children: element });
    const children = Wrapper ? createElement(Wrapper, null, provided) : provided;
    return createElement(Boundary, { ref: boundary, onFailure, children });
  };
  // An update of the root, however empty, lets `act()` take over what React has still to do for it.
  const commit = (): void => boundary.current?.forceUpdate();
  const update = (change: () => void): void => {
    act(change);
    rethrow();
  };

  const view = render(wrap(ui), {
    queries,
    // React 19 would write what the boundary catches to the console; React 18 has no such option, and does.
    onCaughtError: () => undefined,
  });
  try {
    await acting(() => Promise.resolve(), commit);
    rethrow();
  } catch (error) {
    view.unmount();
    surface.dispose();
    throw error;
  }

  const invoke: TestSurface["invoke"] = async (...invocation) => {
    const result = await acting(() => surface.invoke(...invocation), commit);
    rethrow();
    return result;
  };
  const { confirmations } = surface;
  return {
    ...surface,
    invoke,
    observe: (capabilityId, observed) =>
      observe({ registry: surface.registry, invoke }, capabilityId, observed),
    confirmations: {
      ...confirmations,
      approve: (id) => update(() => confirmations.approve(id)),
      deny: (id, reason) => update(() => confirmations.deny(id, reason)),
      expire: (id) => update(() => confirmations.expire(id)),
    },
    view,
    rerender: (next) => update(() => view.rerender(wrap(next))),
    unmount: view.unmount,
    dispose() {
      view.unmount();
      surface.dispose();
    },
  };
}
