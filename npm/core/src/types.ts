import { LIMITS } from "./kernel/tables.js";

/** A value that may cross to an agent or come from one: what JSON can say, and nothing else. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12) of the supported subset. */
export type JsonSchema = Record<string, unknown>;

/** Where the app runs. Policies may tell the environments apart. */
export type AgentEnvironment = "development" | "production" | "test";

/** What an operation does to the world, from the most harmless to the one that cannot be taken back. */
export type AgentEffect = "read" | "local-state" | "navigation" | AgentProcedureEffect;

/** The effects that only a backend procedure or an external tool may have. */
export type AgentProcedureEffect =
  | "server-query"
  | "server-mutation"
  | "external-side-effect"
  | "destructive";

/** How much of the user's consent an operation asks for. */
export type AgentConfirmation = "never" | "optional" | "required";

/** Who invokes. */
export interface AgentConsumer {
  id: string;
  kind: "embedded" | "webmcp" | "mcp-bridge" | "test" | "other";
  /** Whatever the host's policies understand. */
  grants?: string[];
}

/**
 * Which invocations wait for each other. They queue first in, first out; `queueDepth` replaces the registry's
 * `actionQueueDepth` for one group.
 *
 * - `instance`: all actions of one registration, which is the default
 * - `capability`: all invocations of one capability
 * - `key`: all that name the same key, across capabilities
 * - `parallel`: nobody waits until `max` (at least 1) are running
 */
export type AgentConcurrency =
  | { mode: "instance"; queueDepth?: number }
  | { mode: "capability"; queueDepth?: number }
  | { mode: "key"; key: string; queueDepth?: number }
  | { mode: "parallel"; max: number; queueDepth?: number };

/** Where the app is, as its router says. */
export interface AgentRouteInfo {
  path: string;
  params?: Record<string, string>;
}

/** Ends a subscription. Calling it again does nothing. */
export type Unsubscribe = () => void;

/** The bounds of a registry. What each of them bounds is told by the table of limits in the docs. */
export type AgentSurfaceLimits = Record<keyof typeof LIMITS, number>;

/** What holds where an option does not say otherwise. */
export const DEFAULT_LIMITS: Readonly<AgentSurfaceLimits> = LIMITS;
