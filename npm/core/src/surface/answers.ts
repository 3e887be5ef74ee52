import type { AgentActionContext, AgentReadContext } from "../definition.js";
import type { AgentInvocationResult } from "../invocation.js";
import { deepFreeze, NotJsonError, writeJson } from "../json.js";
import type { Ask } from "../kernel/output.js";
import { Question, type Escalation, type Executed, type Parsed, type Passage } from "../kernel/words.js";
import type { AgentPolicyContext } from "../policy.js";
import type { JsonValue } from "../types.js";
import type { Call } from "./call.js";
import { Guarding, type Ending } from "./guarding.js";
import type { MountedCapability } from "./mounted.js";
import { isThenable } from "./onion.js";
import { readEnding, readIssues, readPrecondition, readThrown, resultOf } from "./read.js";
import type { Surface } from "./surface.js";
import { readVotes, readWhen } from "./votes.js";

type Evidence = { id: string; approvedAt: string } | undefined;

/** Finds out what the kernel asks about an invocation, by calling what the app has supplied for it. */
export class Answers {
  readonly #surface: Surface;
  readonly #now: () => number;

  constructor(surface: Surface) {
    this.#surface = surface;
    this.#now = () => surface.clock.now();
  }

  /** Answers a question, now or later. Nothing that the app's code does gets out of here. */
  answer(call: Call, ask: Ask): void {
    const [, , question, registration, index, input, evidence] = ask;
    const capability = this.#surface.mounted(registration)?.capabilities[index];
    // The kernel ends what a component that is gone is asked about, whatever the answer.
    if (capability === undefined) return this.#answerFor(call, question);
    const { key } = call;
    switch (question) {
      case Question.Availability: {
        const when = readWhen(capability, this.#surface.report);
        return this.#surface.act((kernel, now) => kernel.answerAvailability(now, key, when));
      }
      case Question.Discovery: {
        const votes = readVotes(capability.chain.mereVoters, this.#context(call, capability));
        return this.#surface.act((kernel, now) => kernel.answerVotes(now, key, votes));
      }
      case Question.Authorization:
        return this.#authorize(call, capability);
      case Question.Parsing: {
        const parsed = this.#parse(capability, call.hasInput ? input : undefined);
        return this.#surface.act((kernel, now) => kernel.answerParsing(now, key, parsed));
      }
      case Question.Binding: {
        const bound = this.#bind(capability);
        return this.#surface.act((kernel, now) => kernel.answerBinding(now, key, bound));
      }
      case Question.InvokePolicies:
        return this.#guard(call, capability, input);
      case Question.Escalation: {
        const escalation = this.#escalate(call, capability, input);
        return this.#surface.act((kernel, now) => kernel.answerEscalation(now, key, escalation));
      }
      case Question.Precondition: {
        const passage = this.#check(call, capability, input);
        return this.#surface.act((kernel, now) => kernel.answerPrecondition(now, key, passage));
      }
      case Question.Execution:
        return this.#execute(call, capability, input, evidence);
    }
  }

  /** Lets the policies that an invocation has passed see what came of it, the innermost ones first. */
  unwind(call: Call, result: AgentInvocationResult): void {
    const { authorizing, invoking } = call;
    call.given = result;
    if (invoking?.hasPassed) return invoking.unwind({ result });
    if (authorizing?.hasPassed) return authorizing.unwind(call.refusal ?? { result });
    this.#answerUnwinding(call, "passed");
  }

  // Phase 3 is `readWhen`. Phase 4:

  #authorize(call: Call, capability: MountedCapability): void {
    const ctx = this.#context(call, capability);
    const authorizing = new Guarding(
      () => this.#surface.act((kernel, now) => kernel.answerAuthorization(now, call.key, "passed")),
      (ending, hasPassed) => {
        if (call.isSettled) return;
        const passage = this.#passageOf(ending, call.given, capability);
        if (hasPassed) return this.#answerUnwinding(call, passage === "passed" ? call.inner : passage);
        this.#surface.act((kernel, now) => kernel.answerAuthorization(now, call.key, passage));
      },
    );
    call.authorizing = authorizing;
    call.version ??= this.#surface.version;
    authorizing.begin(
      capability.chain.authorizers.map(
        ({ onAuthorize }) =>
          (next) =>
            onAuthorize?.(ctx, next),
      ),
    );
  }

  // Phase 5:

  #parse({ described, id }: MountedCapability, input: JsonValue | undefined): Parsed {
    try {
      return { input: writeJson(described.input?.parse(input)) };
    } catch (error) {
      if (error instanceof NotJsonError) {
        this.#surface.report.error(`the validator of ${id} gives what is no JSON`, error);
      }
      return { issues: readIssues(error) };
    }
  }

  #bind({ described, id }: MountedCapability): string | undefined {
    try {
      return writeJson(described.binding?.config.bind?.() ?? {});
    } catch (error) {
      this.#surface.report.warn(`bind() of ${id} failed`, error);
      return undefined;
    }
  }

  // Phase 6:

  #guard(call: Call, capability: MountedCapability, input: JsonValue): void {
    const ctx = Object.freeze({
      ...this.#context(call, capability),
      invocationId: call.id,
      effectiveInput: deepFreeze(input),
    });
    const invoking = new Guarding(
      () => this.#surface.act((kernel, now) => kernel.answerInvokePolicies(now, call.key, "passed")),
      (ending, hasPassed) => {
        if (call.isSettled) return;
        const passage = this.#passageOf(ending, call.given, capability);
        if ("thrown" in ending) call.refusal = ending;
        if (!hasPassed) {
          return this.#surface.act((kernel, now) => kernel.answerInvokePolicies(now, call.key, passage));
        }
        call.inner = passage;
        const { authorizing, given } = call;
        if (!authorizing?.hasPassed || given === undefined) return this.#answerUnwinding(call, passage);
        if (passage !== "passed") call.given = resultOf(passage, given);
        authorizing.unwind(call.refusal ?? { result: call.given ?? given });
      },
    );
    call.invoking = invoking;
    call.version ??= this.#surface.version;
    invoking.begin(
      capability.chain.invokers.map(
        ({ onInvoke }) =>
          (next) =>
            onInvoke?.(ctx, next),
      ),
    );
  }

  #escalate(call: Call, capability: MountedCapability, input: JsonValue): Escalation {
    const effectiveInput = deepFreeze(input);
    const ctx = Object.freeze({ ...this.#context(call, capability), effectiveInput });
    const asking = capability.chain.escalating.filter(({ escalation }) => {
      try {
        return escalation?.if === undefined || escalation.if(ctx);
      } catch (error) {
        // Whoever can't say whether the user is to be asked has the user asked.
        this.#surface.report.error(`a confirmation policy of ${capability.id} threw`, error);
        return true;
      }
    });
    const summarize = asking.find(({ escalation }) => escalation?.summary !== undefined)?.escalation?.summary;
    try {
      const summary: unknown = summarize?.(effectiveInput);
      return { required: asking.length > 0, summary: typeof summary === "string" ? summary : undefined };
    } catch (error) {
      this.#surface.report.error(`a summary for ${capability.id} threw`, error);
      return { required: asking.length > 0 };
    }
  }

  // Phase 7:

  #check(call: Call, capability: MountedCapability, input: JsonValue): Passage {
    try {
      const failure = capability.action?.precondition?.(input, readContext(call, capability));
      return readPrecondition(failure);
    } catch (thrown) {
      const refused = readThrown(thrown);
      if (refused !== undefined) return { refused };
      const passage = thrown instanceof Error ? "threw" : readPrecondition(thrown);
      if (typeof passage === "object") return passage;
      this.#surface.report.error(`the precondition of ${capability.id} threw`, thrown);
      return "threw";
    }
  }

  // Phases 9 and 10:

  #execute(call: Call, capability: MountedCapability, input: JsonValue, evidence: Evidence): void {
    try {
      const returned = this.#run(call, capability, input, evidence);
      if (!isThenable(returned)) return this.#return(call, capability, returned);
      Promise.resolve(returned).then(
        (value) => this.#finish(call, this.#executed(call, capability, value)),
        (thrown: unknown) => this.#finish(call, this.#thrown(capability, thrown)),
      );
    } catch (thrown) {
      this.#finish(call, this.#thrown(capability, thrown));
    }
  }

  /** Takes what a handler returned that waited for nothing. */
  #return(call: Call, capability: MountedCapability, returned: unknown): void {
    const executed = this.#executed(call, capability, returned);
    if (capability.described.effect !== "navigation") return this.#finish(call, executed);
    // A view that was navigated away from goes in the microtask that its framework has queued by now. The agent is to
    // hear that the surface has changed, so the navigation is answered after that. It can't be given up any more.
    call.hasReturned = true;
    queueMicrotask(() => this.#finish(call, executed));
  }

  #run(call: Call, capability: MountedCapability, input: JsonValue, evidence: Evidence): unknown {
    switch (capability.described.kind) {
      case "observation":
        return required(capability.observation).read(readContext(call, capability));
      case "action":
        return required(capability.action).execute(input, actionContext(call, capability, evidence));
      case "procedure":
        return required(this.#surface.executor).execute({
          path: capability.described.name,
          input,
          info: procedureInfo(call, evidence),
        });
    }
  }

  #finish({ key }: Call, executed: Executed): void {
    this.#surface.act((kernel, now) => kernel.answerExecution(now, key, executed));
  }

  #executed(call: Call, { described, id }: MountedCapability, returned: unknown): Executed {
    if (returned === undefined) return { returned: undefined };
    let value: unknown = returned;
    try {
      if (described.output !== undefined) value = described.output.parse(returned);
    } catch (error) {
      this.#surface.report.error(`what ${id} returned does not satisfy its schema`, error);
      return "invalid";
    }
    try {
      return { returned: writeJson(value) };
    } catch (error) {
      // The agent hears that the output is invalid; who wrote the handler hears why, and can't overlook it.
      if (this.#surface.options.environment !== "production") call.defect = defectOf(id, error);
      return "invalid";
    }
  }

  #thrown({ described, id }: MountedCapability, thrown: unknown): Executed {
    const refused = readThrown(thrown);
    if (refused !== undefined) return { refused };
    this.#surface.report.error(`the handler of ${id} failed`, thrown);
    return described.kind === "procedure" && isTransient(thrown) ? "transient" : "threw";
  }

  #context(call: Call, capability: MountedCapability): AgentPolicyContext {
    const { environment } = this.#surface.options;
    return Object.freeze(capability.context(call.consumer, call.host, environment, this.#now));
  }

  #passageOf(ending: Ending, given: AgentInvocationResult | undefined, { id }: MountedCapability): Passage {
    const passage = readEnding(ending, given);
    if (passage === "threw") this.#surface.report.error(`a policy of ${id} failed`, ending);
    return passage;
  }

  #answerUnwinding({ key }: Call, passage: Passage): void {
    this.#surface.act((kernel, now) => kernel.answerUnwinding(now, key, passage));
  }

  /** Any answer to a question about a component that is gone. */
  #answerFor({ key }: Call, question: Question): void {
    this.#surface.act((kernel, now) => {
      switch (question) {
        case Question.Availability:
          return kernel.answerAvailability(now, key, "threw");
        case Question.Discovery:
          return kernel.answerVotes(now, key, []);
        case Question.Authorization:
          return kernel.answerAuthorization(now, key, "threw");
        case Question.Parsing:
          return kernel.answerParsing(now, key, { issues: [] });
        case Question.Binding:
          return kernel.answerBinding(now, key, undefined);
        case Question.InvokePolicies:
          return kernel.answerInvokePolicies(now, key, "threw");
        case Question.Escalation:
          return kernel.answerEscalation(now, key, { required: true });
        case Question.Precondition:
          return kernel.answerPrecondition(now, key, "threw");
        case Question.Execution:
          return kernel.answerExecution(now, key, "threw");
      }
    });
  }
}

function readContext(call: Call, { id, mounted }: MountedCapability): AgentReadContext {
  return {
    capabilityId: id,
    registrationId: mounted.id,
    consumer: call.consumer,
    get host() {
      return call.host;
    },
  };
}

function actionContext(
  call: Call,
  { id, mounted }: MountedCapability,
  evidence: Evidence,
): AgentActionContext {
  const ctx: AgentActionContext = {
    capabilityId: id,
    registrationId: mounted.id,
    consumer: call.consumer,
    get host() {
      return call.host;
    },
    invocationId: call.id,
    get signal() {
      return call.signal;
    },
  };
  if (evidence !== undefined) ctx.confirmation = evidence;
  return ctx;
}

function procedureInfo(call: Call, evidence: Evidence) {
  return {
    invocationId: call.id,
    consumer: call.consumer,
    get signal() {
      return call.signal;
    },
    ...(evidence !== undefined && { confirmation: evidence }),
  };
}

function required<T>(handlers: T | undefined): T {
  if (handlers === undefined) throw new Error("there is no handler any more");
  return handlers;
}

function isTransient(thrown: unknown): boolean {
  try {
    return (
      typeof thrown === "object" && thrown !== null && (thrown as { transient?: unknown }).transient === true
    );
  } catch {
    return false;
  }
}

function defectOf(id: string, cause: unknown): Error {
  const why =
    cause instanceof NotJsonError ? `${cause.path && `${cause.path}: `}${cause.message}` : "it can't be read";
  const defect = new Error(`the output of ${id} is no JsonValue: ${why}`, { cause });
  defect.name = "AgentSurfaceDefectError";
  return defect;
}
