import type { AgentCapabilityErrorCode } from "./errors.js";
import type { JsonValue } from "./types.js";

/** What went in and came out of an invocation whose capability is audited in full. */
export interface AuditPayload {
  input?: JsonValue;
  output?: JsonValue;
}

/** One record. What does not apply is absent. */
export interface AuditEvent {
  /** ISO 8601. */
  at: string;
  type:
    | "registration"
    | "unregistration"
    | "registration-rejected"
    | "invocation-started"
    | "invocation-settled"
    | "confirmation-requested"
    | "confirmation-approved"
    | "confirmation-denied"
    | "confirmation-expired"
    | "confirmation-consumed"
    | "late-settlement"
    | "collision-suspected";
  capabilityId?: string;
  registrationId?: string;
  invocationId?: string;
  /** The consumer's kind and id: `embedded:copilot`. */
  consumerId?: string;
  status?: "ok" | "error";
  code?: AgentCapabilityErrorCode;
  /** The whole time, in milliseconds. */
  durationMs?: number;
  /** How much of it the invocation waited for others. */
  queueWaitMs?: number;
  /** How much of it the handler took. */
  executionMs?: number;
  /** Only of capabilities whose audit level is `full`; what is larger than an output may be is left out. */
  payload?: AuditPayload;
}

/** Where audit records go. It must not block; if it throws, nothing else is disturbed by that. */
export interface AuditSink {
  record(event: AuditEvent): void;
}

/** Gives a sink a record. If the sink throws, `onError` is told, and whoever records goes on. */
export function recordTo(
  sink: AuditSink | undefined,
  event: AuditEvent,
  onError?: (error: unknown) => void,
): void {
  try {
    sink?.record(event);
  } catch (error) {
    onError?.(error);
  }
}

/** Keeps the latest records, by default 1000, in memory. */
export function memoryAuditSink(options?: { capacity?: number }): AuditSink & { events(): AuditEvent[] } {
  const capacity = options?.capacity ?? 1000;
  const kept: AuditEvent[] = [];
  return {
    record(event) {
      kept.push(event);
      // Twice the capacity is held at most, so that dropping the oldest costs nothing per record.
      if (kept.length >= 2 * capacity) kept.splice(0, kept.length - capacity);
    },
    events: () => kept.slice(Math.max(0, kept.length - capacity)),
  };
}

/**
 * Writes records to the console's channel for diagnostics: `console.debug` in a browser, `console.error` in Node,
 * where `console.debug` would write to the standard output, among what a program prints there.
 */
export function consoleAuditSink(): AuditSink {
  return {
    record(event) {
      const line = ["[agent-surface audit]", event.type, event];
      // oxlint-disable no-console -- this is what the sink is for
      if (isNode()) console.error(...line);
      else console.debug(...line);
      // oxlint-enable no-console
    },
  };
}

/** A bundler's stand-in for `process` has no version of Node. */
function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: unknown } } };
  return typeof process?.versions?.node === "string";
}
