import { Component, type ErrorInfo, type ReactNode } from "react";

/** What was thrown while React rendered or ran effects. */
export interface Failure {
  readonly error: unknown;
  readonly componentStack: string | undefined;
}

interface BoundaryProps {
  readonly children: ReactNode;
  onFailure(failure: Failure): void;
}

/** Shows nothing where its children fail, and says why. */
export class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    this.props.onFailure({ error, componentStack: componentStack?.trim() || undefined });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}

/** What a test gets of a failure: the error's own name, message and stack, with React's stack of components. */
export class RenderError extends Error {
  readonly componentStack?: string;

  constructor({ error, componentStack }: Failure) {
    const thrown = error instanceof Error ? error : undefined;
    const name = thrown?.name.trim() || "Error";
    super(thrown?.message.trim() || `${name} thrown while rendering the scenario (no message)`, {
      cause: error,
    });
    this.name = name;
    if (thrown?.stack !== undefined) this.stack = thrown.stack;
    if (componentStack !== undefined) this.componentStack = componentStack;
  }
}
