import { consoleAuditSink, type AuditEvent, type AuditPayload, type AuditSink } from "./audit.js";
import { keyOf, type CapabilityAuthority } from "./authority.js";
import { createConfirmations, type ConfirmationController } from "./confirmation.js";
import type { AgentComponentDefinition, AgentProcedureExecutor } from "./definition.js";
import { AgentSurfaceDefinitionError } from "./errors.js";
import type { AgentSurfaceEvent } from "./events.js";
import type { AgentInvocation, AgentInvocationResult, InvokeOptions } from "./invocation.js";
import { kernel } from "./kernel/index.js";
import type { AgentPolicy } from "./policy.js";
import type { AgentSurfaceSnapshot, SnapshotContext } from "./snapshot.js";
import { wholeNumber } from "./surface/describe.js";
import { entropy } from "./surface/entropy.js";
import { Chain, takePolicies } from "./surface/guards.js";
import { Handle, RejectedHandle } from "./surface/handle.js";
import { takeSnapshot } from "./surface/look.js";
import { Mounted } from "./surface/mounted.js";
import { connect } from "./surface/seam.js";
import { Surface } from "./surface/surface.js";
import {
  DEFAULT_LIMITS,
  type AgentEnvironment,
  type AgentRouteInfo,
  type AgentSurfaceLimits,
  type Unsubscribe,
} from "./types.js";

/** A component that wants to be registered, as a guard sees it. */
export interface RegistrationCandidate {
  /** Its `origin` is what whoever registers it says. */
  definition: AgentComponentDefinition;
  /** Who registers it; only in development. */
  stack?: string;
}

/** How a registry is to be. */
export interface RegistryOptions {
  /** In `development` the console tells what goes wrong. Default `production`. */
  environment?: AgentEnvironment;
  /** What policies and handlers are told of the host: user, tenant and the like. Synchronous and cheap. */
  context?: () => Record<string, unknown>;
  /** The policies of every capability, around all others. */
  policies?: AgentPolicy[];
  /** Where audit records go. By default nowhere, in development to the console. */
  audit?: AuditSink;
  /** Makes the payload of an audit record fit to be stored. If it throws, the payload is left out. */
  redact?: (payload: AuditPayload, event: Readonly<AuditEvent>) => AuditPayload;
  /** Says which components are let in. If it throws, none is. */
  onRegister?: (candidate: RegistrationCandidate) => "accept" | "reject";
  /** What happens where a component comes and another one stands. Default `reject`: the first one stays. */
  onDuplicateInstance?: "reject" | "replace";
  /** What happens where a capability of the view has the name of a procedure. Default `warn`. */
  duplicateSuffixPolicy?: "off" | "warn" | "error";
  /** Where the app is, for snapshots. */
  route?: () => AgentRouteInfo | undefined;
  limits?: Partial<AgentSurfaceLimits>;
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
  /** What may be registered at all. There is no registry without one. */
  authority?: CapabilityAuthority;
}

/** What a component pushes about itself. Nothing else of it ever changes. */
export interface RegistrationPatch {
  enabled?: boolean;
  /** By the name of an observation or action, or the path of a procedure. */
  availability?: Record<string, { available: boolean; reason?: string }>;
}

/** What whoever registered a component holds of it. */
export interface AgentRegistrationHandle {
  /** `reg_…`; of one that was rejected, too. */
  readonly registrationId: string;
  readonly status: "active" | "rejected" | "unregistered";
  /** Pushes what changed. After the end it does nothing. */
  update(patch: RegistrationPatch): void;
  /** Says that the surface is another one, though nothing of it changed that the registry knows of. */
  invalidate(): void;
  /** Ends the registration. What runs for it is answered `COMPONENT_UNMOUNTED`, save for navigations. */
  unregister(): void;
}

/** The surface of an app: what is mounted, and the one way in. */
export interface AgentSurfaceRegistry {
  /** `srf_…`: no two page loads share one. */
  readonly surfaceId: string;
  /**
   * Registers what a contract's `.bind()` returned. What is only not wanted now gets a handle that is `rejected`.
   *
   * @throws AgentSurfaceDefinitionError for what the app's code has to change, in every environment
   */
  register(definition: AgentComponentDefinition): AgentRegistrationHandle;
  /** What a consumer may see right now. No handler runs for it. */
  snapshot(context?: SnapshotContext): AgentSurfaceSnapshot;
  /** Uses a capability. Whatever happens is a result; only who calls it wrongly gets a rejection. */
  invoke(request: AgentInvocation, options?: InvokeOptions): Promise<AgentInvocationResult>;
  subscribe(listener: (event: AgentSurfaceEvent) => void): Unsubscribe;
  readonly confirmations: ConfirmationController;
  /** Says who calls procedures. */
  setProcedureExecutor(executor: AgentProcedureExecutor | undefined): void;
  /** To be compared for equality, and for nothing else. */
  getVersion(): string;
  /** Closes the surface: what runs is answered `CANCELLED`, confirmations expire, listeners are let go. */
  dispose(): void;
}

/**
 * Opens a surface.
 *
 * @throws AgentSurfaceDefinitionError INVALID_DEFINITION without the genuine authority of a build
 */
export function createAgentSurfaceRegistry(options: RegistryOptions = {}): AgentSurfaceRegistry {
  const { authority, environment = "production", onDuplicateInstance, duplicateSuffixPolicy } = options;
  if (authority === undefined) {
    throw new AgentSurfaceDefinitionError(
      "INVALID_DEFINITION",
      "a registry needs the authority that the compiler made: import it from virtual:agent-surface-contract",
    );
  }
  const key = keyOf(authority);
  const guards = takePolicies(options.policies, "registry");
  const { context, redact, onRegister, route, now, audit = defaultAudit(environment) } = options;
  const surface = new Surface(
    { environment, context, chain: new Chain(guards), audit, redact, onRegister, route, now },
    (onFailure) =>
      kernel().openRegistry(
        key,
        {
          entropy: entropy(),
          limits: readLimits(options.limits),
          policies: guards,
          replaceDuplicates: onDuplicateInstance === "replace",
          onSameName: duplicateSuffixPolicy,
        },
        onFailure,
      ),
  );
  const registry: AgentSurfaceRegistry = Object.freeze({
    surfaceId: surface.id,
    register(definition: AgentComponentDefinition) {
      const registered = surface.register(definition);
      return registered instanceof Mounted
        ? new Handle(surface, registered)
        : new RejectedHandle(surface, registered.rejectedId);
    },
    snapshot: (looked?: SnapshotContext) => takeSnapshot(surface, looked),
    invoke: (request: AgentInvocation, invoked?: InvokeOptions) => surface.invoke(request, invoked),
    subscribe: (listener: (event: AgentSurfaceEvent) => void) => surface.subscribe(listener),
    confirmations: createConfirmations(surface),
    setProcedureExecutor: (executor: AgentProcedureExecutor | undefined) => surface.setExecutor(executor),
    getVersion: () => String(surface.version),
    dispose: () => surface.dispose(),
  });
  connect(registry, surface);
  return registry;
}

function defaultAudit(environment: AgentEnvironment): AuditSink | undefined {
  return environment === "development" ? consoleAuditSink() : undefined;
}

/** The limits that were set, in the kernel's numbers. What is no limit is a mistake that nobody would find. */
function readLimits(limits: Partial<AgentSurfaceLimits> | undefined): Record<string, number> {
  const read: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) throw new TypeError(`there is no limit "${name}"`);
    if (value !== undefined) read[name] = wholeNumber(value);
  }
  return read;
}
