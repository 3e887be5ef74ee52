import type { AgentCapabilityErrorPayload, AgentSurfaceDefinitionErrorCode } from "../errors.js";
import type { AgentInvocationResult } from "../invocation.js";
import type { JsonSchema, JsonValue } from "../types.js";
import type { ComponentInput, MountInput, PatchInput, Query, RequestInput } from "./input.js";
import type { Output } from "./output.js";
import type {
  ComponentKey,
  PendingConfirmation,
  ConfirmationState,
  Escalation,
  Executed,
  InvocationKey,
  JsonText,
  Millis,
  Parsed,
  Passage,
  RegistrationKey,
  Vote,
  When,
} from "./words.js";

/**
 * One surface in the kernel: `crates/core`'s `Registry`, whose documentation says what each call decides.
 *
 * # How it is driven
 * Every command, answer and occasion returns its own result at once, and queues what the host has to do. After
 * each of them the host calls {@link next} until it returns nothing, and does one output after the other. Outputs
 * come in the order of the decisions, and that order counts: an invocation is told to have started before its
 * handler is asked for, to have settled before it is answered.
 *
 * The host may call in again from within whatever it is doing (a handler that registers a component, a listener
 * that invokes): what that decides is queued after what was decided before. So a host has one loop, and while
 * it is running, calls that come from within leave their outputs to it:
 *
 * ```ts
 * function drain(): void {
 *   if (draining) return;
 *   draining = true;
 *   try {
 *     for (let output = registry.next(); output; output = registry.next()) perform(output);
 *   } finally {
 *     draining = false;
 *   }
 *   schedule(registry.deadline);
 * }
 * ```
 *
 * `perform` must not throw: author's code runs in promises and in `try`. An answer may be given from within
 * `perform` or at any time later. An answer that nobody waits for any more changes nothing.
 *
 * After a drain, a timer is due at {@link deadline} for {@link endTime}.
 *
 * # When it fails
 * A defect of the kernel (a trap, a forged key) closes all registries of the page's kernel, since they share its
 * memory: the call that failed throws, `onFailure` of every registry is called once with the same error, and every
 * later call throws it again. No other call throws, save for what its documentation says.
 */
export interface KernelRegistry {
  /** `srf_` and 22 characters that no other page load has. */
  readonly surfaceId: string;

  /** When {@link endTime} is to be called next; `Infinity` where nothing is due. */
  readonly deadline: Millis;

  /** How often the surface changed. */
  readonly version: number;

  /** The next thing to do, if there is one. */
  next(): Output | undefined;

  /**
   * Says whether anybody listens to events, and whether there is an audit sink. Until it is called, there is nobody
   * and none, and no {@link Emit} or {@link Record} is made.
   */
  listen(events: boolean, records: boolean): void;

  // Commands about components.

  /** Checks a bound component against the authority, for any number of registrations, until it is released. */
  admit(component: ComponentInput): ComponentKey | DefinitionRefusal;

  /** Forgets an admitted component. Registrations of it stay. */
  release(component: ComponentKey): void;

  /** Registers an admitted component. */
  register(
    now: Millis,
    component: ComponentKey,
    mount: MountInput,
  ): Registered | DefinitionRefusal | Disposed;

  /** Takes over what a component says of its own accord. */
  update(patch: PatchInput): void;

  /** Says that the surface is another one, though nothing that the kernel knows of changed. */
  invalidate(registration: RegistrationKey): void;

  /** Ends a registration. */
  unregister(now: Millis, registration: RegistrationKey): void;

  /** Says which procedures can be executed; `undefined` where nobody executes any. */
  setProcedures(paths: readonly string[] | undefined): void;

  /** Closes the surface: what runs is settled, what is pending expires. The outputs of that still come. */
  dispose(now: Millis): void;

  /** Gives the kernel's memory back, after `dispose` and the last drain. Every later call but this one throws. */
  free(): void;

  // Commands about invocations.

  /** Starts an invocation, or finds that it is no new one. */
  invoke(now: Millis, request: RequestInput): Invoked | Disposed;

  /** Gives an invocation up for the host. */
  cancel(now: Millis, invocation: InvocationKey): void;

  /** Takes the user's decision on a pending confirmation. One that is not pending stays as it is. */
  resolveConfirmation(now: Millis, confirmationId: string, approved: boolean): void;

  /** Ends a pending confirmation as if its time were over. */
  expireConfirmation(now: Millis, confirmationId: string): void;

  // Answers.

  /** Answers {@link Question.Availability}. */
  answerAvailability(now: Millis, invocation: InvocationKey, when: When): void;
  /** Answers {@link Question.Discovery}: the policies with `onDiscovery` and nothing else, outermost first. */
  answerVotes(now: Millis, invocation: InvocationKey, votes: readonly Vote[]): void;
  /** Answers {@link Question.Authorization}. */
  answerAuthorization(now: Millis, invocation: InvocationKey, passage: Passage): void;
  /** Answers {@link Question.Parsing}. */
  answerParsing(now: Millis, invocation: InvocationKey, parsed: Parsed): void;
  /** Answers {@link Question.Binding} with an object, or with `undefined` where the view could not say. */
  answerBinding(now: Millis, invocation: InvocationKey, bound: JsonText | undefined): void;
  /** Answers {@link Question.InvokePolicies}. */
  answerInvokePolicies(now: Millis, invocation: InvocationKey, passage: Passage): void;
  /** Answers {@link Question.Escalation}. */
  answerEscalation(now: Millis, invocation: InvocationKey, escalation: Escalation): void;
  /** Answers {@link Question.Precondition}. An author's refusal is `PRECONDITION_FAILED`, `with-changes`. */
  answerPrecondition(now: Millis, invocation: InvocationKey, passage: Passage): void;
  /** Answers {@link Question.Execution}, also of a handler whose invocation has ended before it did. */
  answerExecution(now: Millis, invocation: InvocationKey, executed: Executed): void;
  /** Answers {@link Unwind}. */
  answerUnwinding(now: Millis, invocation: InvocationKey, passage: Passage): void;

  // Occasions.

  /** Time has passed: ends whatever is due by `now`. */
  endTime(now: Millis): void;

  /** The turn ends for which the kernel waited. */
  endTurn(): void;

  // The surface as somebody sees it. Nothing is changed by looking, and no output comes of it.

  /** What one consumer may see. `ask` is called before the kernel decides, and may call in. */
  snapshot(now: Millis, query: Query, ask: AskAboutCapability): Composition | Disposed;

  /** What becomes of every capability in the scope, and why: for developers, never for agents. */
  explain(query: Query, ask: AskAboutCapability): Explained[] | Disposed;

  /** The tools of a snapshot, in its order. */
  tools(now: Millis, query: Query, ask: AskAboutCapability): Tool[] | Disposed;

  /** What a meta tool's arguments mean, if exactly one capability of the snapshot is meant. */
  find(
    now: Millis,
    query: Query,
    ask: AskAboutCapability,
    capabilityId: string,
    instanceId: string | undefined,
  ): Target | undefined | Disposed;

  /**
   * The descriptors of a live registration. None of it ever changes while it is registered, so the host keeps
   * and freezes it; `undefined` where it has ended.
   */
  describe(registration: RegistrationKey): Description | undefined;

  /** The confirmations that the user has not decided, oldest first. */
  pendingConfirmations(): PendingConfirmation[];

  /** Where a confirmation stands that is pending or was decided lately. */
  confirmationState(confirmationId: string): ConfirmationState | undefined;

  // Meta mode.

  /** Reads the arguments of a meta tool by its schema. */
  readEnvelope(verb: Verb, args: JsonText): { envelope: Envelope } | { error: AgentCapabilityErrorPayload };

  /** The object that an input is the JSON text of, where the target takes an object: some providers pass text. */
  repairInput(target: Target, input: JsonText): JsonText | undefined;

  /** What is left of a requested scope under a floor. */
  narrow(floor: readonly string[], requested: readonly string[]): Narrowed;
}

/** The registry is closed. */
export type Disposed = "disposed";

/** Why a definition is refused: the app's code has to change. */
export interface DefinitionRefusal {
  code: AgentSurfaceDefinitionErrorCode;
  /** The part of the definition. */
  field: string;
  message: string;
}

/** What came of a registration. One that was rejected has an id, and no key. */
export interface Registered {
  registrationId: string;
  registration: RegistrationKey | undefined;
  rejected: "duplicate" | "guard" | undefined;
}

/**
 * What came of a request. `started`: its {@link Settle} will come. `joined`: the same request is under way, and
 * its answer is the answer to this one too. `settled`: it is answered.
 */
export type Invoked =
  | { status: "started"; invocation: InvocationKey; invocationId: string }
  | { status: "joined"; invocation: InvocationKey }
  | { status: "settled"; result: AgentInvocationResult };

/** One capability of one registration. */
export interface Target {
  registration: RegistrationKey;
  capability: number;
}

/**
 * Finds out about a capability: whether its `when` holds, if `asksWhen` (otherwise the answer is not looked at), and
 * what its `votes` policies with `onDiscovery` vote, outermost first.
 */
export type AskAboutCapability = (
  registration: RegistrationKey,
  capability: number,
  asksWhen: boolean,
  votes: number,
) => { when: When; votes: readonly Vote[] };

/**
 * A snapshot as numbers; the texts are those of {@link KernelRegistry.describe}.
 *
 * `components` holds for each component, in order, its registration and how many capabilities of it are shown, and
 * then for each of these its index and its reason. `procedures` holds registration, index and reason for each.
 * A reason is 0 for what can be used, and otherwise one more than the index into `reasons`.
 */
export interface Composition {
  surfaceVersion: number;
  components: Int32Array;
  procedures: Int32Array;
  reasons: readonly string[];
  /** How many components the budget dropped. */
  droppedComponents: number;
}

/** Why a capability is in a snapshot or not. */
export interface Explained extends Target {
  outcome: "expose" | "disable" | "hide";
  /** Why it is disabled. */
  reason?: string;
  /** Why it can't be used, the policies aside. */
  obstacle?: string;
}

/** One tool of a catalogue. */
export interface Tool extends Target {
  name: string;
  description: string;
  capabilityId: string;
  registrationId: string;
  /** Where several have the capability. */
  instanceId?: string;
  /** Why it can't be used right now. */
  unavailable?: string;
}

/** How agents see a registration: all of it but what changes with the state. */
export interface Description {
  /** A component's descriptor without its capabilities. */
  component: {
    type: string;
    instanceId: string;
    registrationId: string;
    description: string;
    parent?: { type: string; instanceId: string };
    meta?: { [key: string]: JsonValue };
  };
  /** By index. The members are those of an observation's, action's or procedure's descriptor. */
  capabilities: {
    kind: "observation" | "action" | "procedure";
    /** The descriptor, without `available`, `unavailableReason` and `contextualNote`. */
    descriptor: { [key: string]: JsonValue };
    /** What a tool takes. */
    toolSchema: JsonSchema;
  }[];
}

/** One of the three meta tools. */
export type Verb = "surface_discover" | "surface_read" | "surface_act";

/** What a call of a meta tool says. */
export interface Envelope {
  scope: string[];
  capabilityId: string;
  instanceId?: string;
  /** As it came. */
  input?: JsonValue;
  invocationId?: string;
  confirmationId?: string;
  surfaceVersion?: string;
}

/** What is left of a requested scope; no `scope` where the floor admits nothing of it. */
export interface Narrowed {
  scope?: string[];
  rejected: string[];
}
