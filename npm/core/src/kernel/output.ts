import type { AuditEvent } from "../audit.js";
import type { AgentSurfaceEvent } from "../events.js";
import type { AgentInvocationResult } from "../invocation.js";
import type { JsonValue } from "../types.js";
import type { Do, InvocationKey, Outcome, Question, RegistrationKey } from "./words.js";

/**
 * One thing that the host has to do. A tuple, because a page makes some for every invocation; its first member
 * says which. Every value in it is fresh: nobody else holds it, so the host may freeze it or give it away.
 */
export type Output = Ask | Abort | Unwind | Settle | AwaitTurn | Emit | Record | Warn;

/**
 * Find out what only the host can, and answer by the method that {@link Question} names.
 *
 * `input` is the agent's for `Parsing`, and the effective one for `InvokePolicies`, `Escalation`, `Precondition`
 * and `Execution`; elsewhere it is `null`, which is no input. `evidence` is there for `Execution` alone, where the
 * user approved this call.
 */
export type Ask = readonly [
  what: typeof Do.Ask,
  invocation: InvocationKey,
  question: Question,
  registration: RegistrationKey,
  /** The index among the component's capabilities, in the order in which it was admitted. */
  capability: number,
  input: JsonValue,
  evidence?: { id: string; approvedAt: string },
];

/** Signal the handler of this invocation that nobody waits for it any more. */
export type Abort = readonly [what: typeof Do.Abort, invocation: InvocationKey];

/**
 * Let the policies that let the invocation pass see what came of it, the innermost `next()` first, and answer by
 * {@link KernelRegistry.answerUnwinding} with what the outermost one returned.
 */
export type Unwind = readonly [what: typeof Do.Unwind, invocation: InvocationKey, outcome: Outcome];

/** Answer the agent, and everyone who joined. */
export type Settle = readonly [
  what: typeof Do.Settle,
  invocation: InvocationKey,
  result: AgentInvocationResult,
];

/** Call {@link KernelRegistry.endTurn} once the current turn of the event loop ends: in a microtask. */
export type AwaitTurn = readonly [what: typeof Do.AwaitTurn];

/** Tell the listeners. Only comes while {@link KernelRegistry.listen} says that there are some. */
export type Emit = readonly [what: typeof Do.Emit, event: AgentSurfaceEvent];

/**
 * Give the audit sink a record. Only comes while {@link KernelRegistry.listen} says that there is one. `payload` is
 * there where the capability's audit level is `full`; the host redacts it before anyone sees it.
 */
export type Record = readonly [
  what: typeof Do.Record,
  record: KernelRecord,
  payload?: { input?: JsonValue; output?: JsonValue },
];

/** Tell the author, in development. The kernel went on without it. */
export type Warn = readonly [what: typeof Do.Warn, warning: Warning];

/** An audit record, without what went in and came out: that is the host's to redact. */
export type KernelRecord = Omit<AuditEvent, "payload">;

/** Something that an author should know of. */
export type Warning =
  | { type: "update-after-end"; componentType: string }
  | { type: "unknown-capability"; componentType: string; name: string }
  | { type: "duplicate"; componentType: string; instanceId: string }
  | { type: "bound-input-invalid"; capabilityId: string }
  | { type: "output-invalid"; capabilityId: string };
