import type { AgentCapabilityErrorCode, AgentErrorRetry } from "../errors.js";
import type { AgentEffect, JsonValue } from "../types.js";

/** A JSON document as text. Values cross the boundary as text, written once; nobody looks at the object again. */
export type JsonText = string;

/** A registration, dead or alive. None is given twice by one registry. */
export type RegistrationKey = number;

/** An invocation, running or settled. None is given twice by one registry. */
export type InvocationKey = number;

/** An admitted component, until it is released. */
export type ComponentKey = number;

/** A verified manifest, until it is closed. */
export type AuthorityKey = number;

/** Milliseconds since 1970, whole and not negative: what `Date.now()` returns. */
export type Millis = number;

/** What the kernel needs to know of an invocation, in the order in which it asks. */
export const Question = {
  /** Does `when` hold? Answered by {@link KernelRegistry.answerAvailability}. */
  Availability: 0,
  /** What do the policies vote that do nothing but vote? {@link KernelRegistry.answerVotes} */
  Discovery: 1,
  /** Do the policies let it pass? They are shown no input. {@link KernelRegistry.answerAuthorization} */
  Authorization: 2,
  /** What does the validator make of the agent's input? {@link KernelRegistry.answerParsing} */
  Parsing: 3,
  /** What does the view supply? {@link KernelRegistry.answerBinding} */
  Binding: 4,
  /** Do the policies let it pass with this input? {@link KernelRegistry.answerInvokePolicies} */
  InvokePolicies: 5,
  /** Does a policy ask for the user's confirmation? {@link KernelRegistry.answerEscalation} */
  Escalation: 6,
  /** Does the state allow this input? {@link KernelRegistry.answerPrecondition} */
  Precondition: 7,
  /** What does the handler return? {@link KernelRegistry.answerExecution} */
  Execution: 8,
} as const;
export type Question = (typeof Question)[keyof typeof Question];

/** The first member of an {@link Output}: what is to be done. */
export const Do = {
  /** Find out what only the host can, and answer. */
  Ask: 0,
  /** Abort the signal of the handler. */
  Abort: 1,
  /** Let the policies that let the invocation pass see what came of it. */
  Unwind: 2,
  /** Answer the agent, and everyone who joined. */
  Settle: 3,
  /** Call `endTurn` in a microtask. */
  AwaitTurn: 4,
  /** Tell the listeners. */
  Emit: 5,
  /** Give the audit sink a record. */
  Record: 6,
  /** Tell the author, in development. */
  Warn: 7,
} as const;
export type Do = (typeof Do)[keyof typeof Do];

/** What an author's code refuses with. The kernel cuts the message to what an agent is told. */
export interface AuthoredError {
  code: AgentCapabilityErrorCode;
  message: string;
  retry: AgentErrorRetry;
  /** An object. */
  details?: JsonText | undefined;
}

/** What `when` says. A reason that is absent is put by the kernel. */
export type When = "holds" | "threw" | { fails: string | undefined };

/** What a policy says to a capability's being shown. */
export type Vote = "expose" | "hide" | "threw" | { disable: string };

/**
 * What policies, or a precondition, did with an invocation. `passed`: they let it pass, or afterwards left the
 * outcome as it was. `returned`: one of them answered with this output in the capability's stead. `refused`: with
 * an error of its own. `threw`: it failed.
 */
export type Passage = "passed" | "threw" | { returned: JsonText | undefined } | { refused: AuthoredError };

/**
 * How a handler ended. `invalid`: what it returned is no JSON, or the host's validator refused it. `threw`: it
 * failed; `transient`: so did a procedure's transport, which may go well the next time.
 */
export type Executed =
  | "invalid"
  | "threw"
  | "transient"
  | { returned: JsonText | undefined }
  | { refused: AuthoredError };

/** What the host's validator made of an input. */
export type Parsed = { input: JsonText } | { issues: readonly { path: string; message: string }[] };

/** What policies say to a confirmation. One that fails while it decides asks for it. */
export interface Escalation {
  required: boolean;
  /** How it is put to the user, where one of them words it. */
  summary?: string | undefined;
}

/** What came of an invocation, as policies see it. */
export type Outcome =
  | { status: "ok"; output?: JsonValue }
  | {
      status: "error";
      error: {
        code: AgentCapabilityErrorCode;
        message: string;
        retry: AgentErrorRetry;
        details?: Record<string, JsonValue>;
      };
    };

/** What a user is asked to approve. */
export interface PendingConfirmation {
  confirmationId: string;
  capabilityId: string;
  registrationId: string;
  /** For whom: the consumer's kind and id, `embedded:copilot`. */
  consumerKey: string;
  /** What it does; a dialog may well look different for what can't be taken back. */
  effect: AgentEffect;
  /** It all in a sentence: a policy's own, or the description and the input. */
  summary: string;
  /** Exactly what it will be called with, what the view supplies included. */
  input: JsonValue;
  /** ISO 8601. */
  requestedAt: string;
  /** Until when it can be decided, and an approval used. */
  expiresAt: string;
}

/** Where a confirmation stands. */
export type ConfirmationState = "pending" | "approved" | "denied" | "expired" | "consumed";
