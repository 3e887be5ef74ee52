/** Which component the hooks of one render belong to. */
export interface RenderScopeContext {
  type: string;
  instanceId: string;
}

let current: RenderScopeContext | undefined;

/**
 * Notes which component is being rendered, so that a procedure hook that follows in the same function can say what it
 * belongs to. React has no name for that which two hooks share.
 *
 * The note lasts until the current rendering yields. A component that comes after it and has a procedure hook alone
 * may therefore take it for its own: it is a label in descriptors, and nothing is decided by it.
 */
export function setRenderScopeContext(context: RenderScopeContext): void {
  if (current === undefined) queueMicrotask(() => (current = undefined));
  current = context;
}

/** The component that was noted last in this pass of rendering. */
export function readRenderScopeContext(): RenderScopeContext | undefined {
  return current;
}
