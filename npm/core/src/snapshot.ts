import type {
  AgentConfirmation,
  AgentConsumer,
  AgentProcedureEffect,
  AgentRouteInfo,
  JsonSchema,
  JsonValue,
} from "./types.js";

/** Who looks at a surface, and at how much of it. */
export interface SnapshotContext {
  /** By default an embedded consumer called `anonymous`. */
  consumer?: AgentConsumer;
  /** Types of components, each with all below it: `["devices"]`. By default everything. */
  scope?: string[];
  /** Whether what can't be used right now is shown. Default `true`. */
  includeUnavailable?: boolean;
  /**
   * What the snapshot is cut down to: what has the lowest priority goes first, and `truncated` tells.
   *
   * @experimental
   */
  budget?: { maxComponents?: number; maxBytes?: number };
}

/** What one consumer may see of a surface at one moment: a catalogue, without the state. Frozen through and through. */
export interface AgentSurfaceSnapshot {
  surfaceId: string;
  surfaceVersion: string;
  /** ISO 8601. */
  capturedAt: string;
  route?: AgentRouteInfo;
  /** By priority, the highest first, then by type and instance. */
  components: AgentComponentDescriptor[];
  /** What components refer to of the backend. */
  procedures: AgentProcedureDescriptor[];
  /**
   * There if a budget cut the snapshot.
   *
   * @experimental
   */
  truncated?: { droppedComponents: number };
  /**
   * There if an adapter's own scope refused a part of the scope that was asked for.
   *
   * @experimental
   */
  scopeRejected?: { prefixes: string[] };
}

/** A component, as agents see it. */
export interface AgentComponentDescriptor {
  type: string;
  instanceId: string;
  registrationId: string;
  description: string;
  parent?: { type: string; instanceId: string };
  meta?: Record<string, JsonValue>;
  observations: AgentObservationDescriptor[];
  actions: AgentActionDescriptor[];
}

/** An observation, as agents see it. */
export interface AgentObservationDescriptor {
  /** `view:devices.table.readState` */
  capabilityId: string;
  /** `readState` */
  name: string;
  description: string;
  outputSchema: JsonSchema;
  available: boolean;
  unavailableReason?: string;
  meta?: Record<string, JsonValue>;
}

/** An action, as agents see it. */
export interface AgentActionDescriptor {
  capabilityId: string;
  name: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  effect: "local-state" | "navigation";
  idempotent: boolean;
  reversible: boolean;
  confirmation: AgentConfirmation;
  available: boolean;
  unavailableReason?: string;
  meta?: Record<string, JsonValue>;
}

/** A procedure that a component refers to, as agents see it. */
export interface AgentProcedureDescriptor {
  /** `domain:devices.disable` */
  procedureId: string;
  /** The contract's own text. It does not change with the state. */
  description: string;
  /** What the component's `describe()` says of the present situation. */
  contextualNote?: string;
  /** Without the fields that the view supplies and an agent may not. */
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  effect: AgentProcedureEffect;
  /** The strictest of what effect, binding and server say. */
  confirmation: AgentConfirmation;
  available: boolean;
  unavailableReason?: string;
  /** The fields that the view supplies. */
  boundFields: Array<{ path: string; locked: boolean; source: "ui-state" }>;
  registrationId: string;
  /** The component of the view that it belongs to. */
  context?: { type: string; instanceId: string };
  meta?: Record<string, JsonValue>;
}

/** Whatever a snapshot has of one capability. */
export type AgentCapabilityDescriptorUnion =
  | AgentObservationDescriptor
  | AgentActionDescriptor
  | AgentProcedureDescriptor;
