import {
  createAgentSurfaceRegistry,
  memoryAuditSink,
  type AgentConsumer,
  type AgentInvocationResult,
  type AgentSurfaceEvent,
  type AgentSurfaceRegistry,
  type AgentSurfaceSnapshot,
  type AuditEvent,
  type CapabilityAuthority,
  type JsonValue,
  type PendingConfirmation,
  type SnapshotContext,
} from "@agent-surface/core";

/** What a test has, or wants to have. */
export interface TestSurfaceOptions {
  /** The app's own registry. Without it the surface makes one, in the environment `test`. */
  registry?: AgentSurfaceRegistry;
  /** Needed where there is no `registry`. */
  authority?: CapabilityAuthority;
  /** Who looks and calls. Default `{ id: "test", kind: "test" }`. */
  consumer?: AgentConsumer;
  /** What the surface's own registry tells policies and handlers of the host. Default `{}`. */
  host?: Record<string, unknown>;
}

/** How one invocation differs from the usual. */
export interface TestInvocationOptions {
  instanceId?: string;
  /** By default that of the one registration that has the capability; a captured one makes a stale call. */
  registrationId?: string;
  surfaceVersion?: string;
  confirmationId?: string;
  /** By default the surface's. */
  consumer?: AgentConsumer;
}

/** A surface as an agent has it, with what a test needs besides. */
export interface TestSurface {
  readonly registry: AgentSurfaceRegistry;

  /** What the consumer may see. */
  snapshot(context?: Partial<SnapshotContext>): AgentSurfaceSnapshot;

  /** Uses a capability, under an id of its own. */
  invoke(
    capabilityId: string,
    input?: JsonValue,
    options?: TestInvocationOptions,
  ): Promise<AgentInvocationResult>;

  /**
   * Reads an observation.
   *
   * @throws Error where it fails, and where reading changes the surface: to observe is to change nothing
   */
  observe<T = JsonValue>(capabilityId: string, options?: { instanceId?: string }): Promise<T>;

  /**
   * What an agent would know by now of a capability, for a call that comes too late.
   *
   * @throws Error where not exactly one registration has it
   */
  captureRef(capabilityId: string, instanceId?: string): { registrationId: string; surfaceVersion: string };

  /**
   * Changes the host's context: another user, for example.
   *
   * @throws Error for a registry that the test brought along, whose context is the test's own
   */
  as(host: Record<string, unknown>): void;

  /** The user's part. Without an id, the one confirmation that is pending. */
  readonly confirmations: {
    pending(): PendingConfirmation[];
    approve(confirmationId?: string): void;
    deny(confirmationId?: string, reason?: string): void;
    /** Ends it as if its time were over. */
    expire(confirmationId?: string): void;
  };

  /** What the registry has told since the surface was made. */
  events(): AgentSurfaceEvent[];

  /** The audit records of the surface's own registry; of one that the test brought along, none. */
  auditLog(): AuditEvent[];

  /** Stops listening, and closes the registry if it is the surface's own. */
  dispose(): void;
}

/**
 * Makes a surface to test.
 *
 * @throws AgentSurfaceDefinitionError INVALID_DEFINITION with neither a registry nor a genuine authority
 */
export function createTestSurface(options: TestSurfaceOptions = {}): TestSurface {
  const { authority, consumer = { id: "test", kind: "test" } } = options;
  let host = options.host ?? {};
  const audit = memoryAuditSink({ capacity: 5000 });
  const registry =
    options.registry ??
    createAgentSurfaceRegistry({
      environment: "test",
      context: () => host,
      audit,
      ...(authority !== undefined && { authority }),
    });
  const events: AgentSurfaceEvent[] = [];
  const unsubscribe = registry.subscribe((event) => events.push(event));

  const surface: TestSurface = {
    registry,
    snapshot: (context) => registry.snapshot({ consumer, ...context }),
    invoke(capabilityId, input, { consumer: caller = consumer, ...options } = {}) {
      // One that is not unique is left out: the registry has an answer to that.
      const registrationId = registrationOf(registry, caller, capabilityId, options.instanceId);
      return registry.invoke(
        {
          capabilityId,
          ...(input !== undefined && { input }),
          ...(registrationId !== undefined && { registrationId }),
          ...options,
        },
        { consumer: caller },
      );
    },
    observe: (capabilityId, options) => observe(surface, capabilityId, options),
    captureRef(capabilityId, instanceId) {
      const registrationId = registrationOf(registry, consumer, capabilityId, instanceId);
      if (registrationId === undefined) {
        throw new Error(`captureRef: not exactly one live registration exposes ${capabilityId}`);
      }
      return { registrationId, surfaceVersion: registry.getVersion() };
    },
    as(other) {
      if (options.registry !== undefined) {
        throw new Error("as(): this registry has a context of its own; change what its context() returns");
      }
      host = other;
    },
    confirmations: {
      pending: () => registry.confirmations.pending(),
      approve: (id = onlyPending(registry)) => registry.confirmations.resolve(id, { approved: true }),
      deny: (id = onlyPending(registry), reason) =>
        registry.confirmations.resolve(id, { approved: false, ...(reason !== undefined && { reason }) }),
      expire: (id = onlyPending(registry)) => registry.confirmations.forceExpire(id),
    },
    events: () => [...events],
    auditLog: () => audit.events(),
    dispose() {
      unsubscribe();
      if (options.registry === undefined) registry.dispose();
    },
  };
  return surface;
}

/** Reads an observation of a surface, through the surface's own `invoke`. */
export async function observe<T>(
  { registry, invoke }: Pick<TestSurface, "registry" | "invoke">,
  capabilityId: string,
  options?: { instanceId?: string },
): Promise<T> {
  const before = registry.getVersion();
  const result = await invoke(capabilityId, undefined, options);
  if (result.status === "error") {
    const { code, message } = result.error;
    throw new Error(`observe(${capabilityId}) failed: ${code}: ${message}`);
  }
  const after = registry.getVersion();
  if (after !== before) {
    throw new Error(
      `observe(${capabilityId}) mutated the surface: its version went from ${before} to ${after}, and to observe is to change nothing`,
    );
  }
  return result.output as T;
}

/** The registration that has a capability, if there is exactly one that a consumer sees. */
function registrationOf(
  registry: AgentSurfaceRegistry,
  consumer: AgentConsumer,
  capabilityId: string,
  instanceId: string | undefined,
): string | undefined {
  const { components, procedures } = registry.snapshot({ consumer });
  const isMeant = (id: string | undefined): boolean => instanceId === undefined || id === instanceId;
  const found = [
    ...components
      .filter((component) => isMeant(component.instanceId))
      .filter(({ observations, actions }) =>
        [...observations, ...actions].some((capability) => capability.capabilityId === capabilityId),
      ),
    ...procedures.filter(
      ({ procedureId, context }) => procedureId === capabilityId && isMeant(context?.instanceId),
    ),
  ];
  return found.length === 1 ? found[0]?.registrationId : undefined;
}

function onlyPending(registry: AgentSurfaceRegistry): string {
  const [first, ...others] = registry.confirmations.pending();
  if (first === undefined) throw new Error("no confirmation is pending");
  if (others.length > 0) {
    throw new Error(`${others.length + 1} confirmations are pending: say which by its confirmationId`);
  }
  return first.confirmationId;
}
