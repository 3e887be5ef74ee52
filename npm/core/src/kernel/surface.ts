import { Call } from "./calls.js";
import * as frame from "./frames.js";
import type { ComponentInput, MountInput, PatchInput, Query, RequestInput } from "./input.js";
import type { Kernel } from "./kernel.js";
import type { Ask, Output } from "./output.js";
import type {
  AskAboutCapability,
  Composition,
  DefinitionRefusal,
  Description,
  Disposed,
  Explained,
  Invoked,
  KernelRegistry,
  Narrowed,
  Registered,
  Target,
  Tool,
  Verb,
} from "./registry.js";
import {
  Do,
  Question,
  type ComponentKey,
  type PendingConfirmation,
  type ConfirmationState,
  type Escalation,
  type Executed,
  type InvocationKey,
  type JsonText,
  type Millis,
  type Parsed,
  type Passage,
  type RegistrationKey,
  type Vote,
  type When,
} from "./words.js";

/** In the order in which the kernel numbers them. */
const VERBS: readonly Verb[] = ["surface_discover", "surface_read", "surface_act"];

/** What a command replied: its result, and then its outputs. */
interface Batch {
  readonly reply: readonly unknown[];
  /** Which of the outputs is next. */
  at: number;
  /** How many commands there had been by then. */
  readonly command: number;
}

/** A registry of the kernel, by its handle. */
export class Surface implements KernelRegistry {
  readonly surfaceId: string;
  readonly #kernel: Kernel;
  readonly #handle: number;
  readonly #batches: Batch[] = [];
  #commands = 0;
  #deadline: Millis = Number.POSITIVE_INFINITY;

  constructor(kernel: Kernel, handle: number, surfaceId: string) {
    this.#kernel = kernel;
    this.#handle = handle;
    this.surfaceId = surfaceId;
  }

  get deadline(): Millis {
    return this.#deadline;
  }

  get version(): number {
    return this.#kernel.answer(Call.Version, this.#handle);
  }

  next(): Output | undefined {
    for (let batch = this.#batches[0]; batch; batch = this.#batches[0]) {
      const output = batch.reply[batch.at++] as Output;
      if (batch.at === batch.reply.length) this.#batches.shift();
      // A command that came after the question may have ended the invocation.
      if (output[0] !== Do.Ask || batch.command === this.#commands || this.#stillAsks(output)) return output;
    }
    return undefined;
  }

  listen(events: boolean, records: boolean): void {
    this.#command(Call.Listen, (events ? 1 : 0) | (records ? 2 : 0));
  }

  admit(component: ComponentInput): ComponentKey | DefinitionRefusal {
    return this.#command(Call.Admit, 0, 0, frame.component(component)) as ComponentKey | DefinitionRefusal;
  }

  release(component: ComponentKey): void {
    this.#kernel.answer(Call.Release, this.#handle, component);
  }

  register(
    now: Millis,
    component: ComponentKey,
    mount: MountInput,
  ): Registered | DefinitionRefusal | Disposed {
    return this.#command(Call.Register, component, now, frame.mount(mount)) as Registered;
  }

  update(patch: PatchInput): void {
    this.#command(Call.Update, patch.registration, 0, frame.patch(patch));
  }

  invalidate(registration: RegistrationKey): void {
    this.#command(Call.Invalidate, registration);
  }

  unregister(now: Millis, registration: RegistrationKey): void {
    this.#command(Call.Unregister, registration, now);
  }

  setProcedures(paths: readonly string[] | undefined): void {
    this.#command(Call.SetProcedures, 0, 0, paths ? frame.texts(paths) : "-");
  }

  dispose(now: Millis): void {
    this.#command(Call.Dispose, 0, now);
  }

  free(): void {
    this.#kernel.free(this.#handle);
  }

  invoke(now: Millis, request: RequestInput): Invoked | Disposed {
    return this.#command(Call.Invoke, 0, now, frame.request(request)) as Invoked | Disposed;
  }

  cancel(now: Millis, invocation: InvocationKey): void {
    this.#command(Call.Cancel, invocation, now);
  }

  resolveConfirmation(now: Millis, confirmationId: string, approved: boolean): void {
    this.#command(Call.Decide, approved ? 1 : 0, now, confirmationId);
  }

  expireConfirmation(now: Millis, confirmationId: string): void {
    this.#command(Call.Decide, 2, now, confirmationId);
  }

  answerAvailability(now: Millis, invocation: InvocationKey, when: When): void {
    this.#answer(Question.Availability, now, invocation, frame.when(when));
  }

  answerVotes(now: Millis, invocation: InvocationKey, votes: readonly Vote[]): void {
    this.#answer(Question.Discovery, now, invocation, frame.votes(votes));
  }

  answerAuthorization(now: Millis, invocation: InvocationKey, passage: Passage): void {
    this.#answer(Question.Authorization, now, invocation, frame.passage(passage));
  }

  answerParsing(now: Millis, invocation: InvocationKey, parsed: Parsed): void {
    this.#answer(Question.Parsing, now, invocation, frame.parsed(parsed));
  }

  answerBinding(now: Millis, invocation: InvocationKey, bound: JsonText | undefined): void {
    this.#answer(Question.Binding, now, invocation, frame.optional(bound));
  }

  answerInvokePolicies(now: Millis, invocation: InvocationKey, passage: Passage): void {
    this.#answer(Question.InvokePolicies, now, invocation, frame.passage(passage));
  }

  answerEscalation(now: Millis, invocation: InvocationKey, escalation: Escalation): void {
    this.#answer(Question.Escalation, now, invocation, frame.escalation(escalation));
  }

  answerPrecondition(now: Millis, invocation: InvocationKey, passage: Passage): void {
    this.#answer(Question.Precondition, now, invocation, frame.passage(passage));
  }

  answerExecution(now: Millis, invocation: InvocationKey, executed: Executed): void {
    this.#answer(Question.Execution, now, invocation, frame.executed(executed));
  }

  answerUnwinding(now: Millis, invocation: InvocationKey, passage: Passage): void {
    this.#command(Call.Unwound, invocation, now, frame.passage(passage));
  }

  endTime(now: Millis): void {
    this.#command(Call.Timeout, 0, now);
  }

  endTurn(): void {
    this.#command(Call.Turn);
  }

  snapshot(now: Millis, query: Query, ask: AskAboutCapability): Composition | Disposed {
    return this.#look(Call.Compose, now, query, ask, "", (reasons, numbers) => {
      const [droppedComponents = 0, length = 0] = numbers;
      return {
        surfaceVersion: this.version,
        components: numbers.subarray(2, 2 + length),
        procedures: numbers.subarray(2 + length),
        reasons: (reasons ?? []) as string[],
        droppedComponents,
      };
    });
  }

  explain(query: Query, ask: AskAboutCapability): Explained[] | Disposed {
    return this.#look(Call.Explain, 0, query, ask, "", (explained) => explained as Explained[]);
  }

  tools(now: Millis, query: Query, ask: AskAboutCapability): Tool[] | Disposed {
    return this.#look(Call.Tools, now, query, ask, "", (tools) => tools as Tool[]);
  }

  find(
    now: Millis,
    query: Query,
    ask: AskAboutCapability,
    capabilityId: string,
    instanceId: string | undefined,
  ): Target | undefined | Disposed {
    const wanted = frame.text(capabilityId) + frame.optional(instanceId);
    return this.#look(Call.Find, now, query, ask, wanted, (_, [registration, capability]) =>
      registration === undefined || capability === undefined ? undefined : { registration, capability },
    );
  }

  describe(registration: RegistrationKey): Description | undefined {
    return this.#read(Call.Describe, registration) as Description | undefined;
  }

  pendingConfirmations(): PendingConfirmation[] {
    return this.#read(Call.Pending) as PendingConfirmation[];
  }

  confirmationState(confirmationId: string): ConfirmationState | undefined {
    return this.#read(Call.Confirmation, 0, confirmationId) as ConfirmationState | undefined;
  }

  readEnvelope(verb: Verb, args: JsonText): ReturnType<KernelRegistry["readEnvelope"]> {
    return this.#read(Call.ReadEnvelope, VERBS.indexOf(verb), args) as ReturnType<Surface["readEnvelope"]>;
  }

  repairInput(target: Target, input: JsonText): JsonText | undefined {
    const written = frame.integer(target.registration) + frame.integer(target.capability) + frame.text(input);
    return this.#read(Call.RepairInput, 0, written) as JsonText | undefined;
  }

  narrow(floor: readonly string[], requested: readonly string[]): Narrowed {
    return this.#read(Call.Narrow, 0, frame.texts(floor) + frame.texts(requested)) as Narrowed;
  }

  #stillAsks([, invocation, question]: Ask): boolean {
    return this.#kernel.answer(Call.StillAsks, this.#handle, invocation, 0, frame.integer(question)) === 1;
  }

  #answer(question: Question, now: Millis, invocation: InvocationKey, answer: string): void {
    this.#command(Call.Answer + question, invocation, now, answer);
  }

  /** A call that may change something. Its reply is what came of it, and then the outputs. */
  #command(call: number, key = 0, now: Millis = 0, text = ""): unknown {
    this.#commands++;
    this.#deadline = this.#kernel.answer(call, this.#handle, key, now, text);
    const reply = this.#kernel.takeReply() as unknown[] | undefined;
    if (!reply) return undefined;
    if (reply.length > 1) this.#batches.push({ reply, at: 1, command: this.#commands });
    return reply[0];
  }

  /** A call that changes nothing. */
  #read(call: number, key = 0, text = ""): unknown {
    this.#kernel.answer(call, this.#handle, key, 0, text);
    return this.#kernel.takeReply();
  }

  /** Surveys the surface, has the host find out what is in question, and then makes of it what `call` does. */
  #look<T>(
    call: number,
    now: Millis,
    query: Query,
    ask: AskAboutCapability,
    rest: string,
    read: (reply: unknown, numbers: Int32Array) => T,
  ): T | Disposed {
    const kernel = this.#kernel;
    const survey = kernel.answer(Call.Survey, this.#handle, 0, 0, frame.texts(query.scope ?? []));
    if (survey === 0) return "disposed";
    const questions = kernel.takeNumbers();
    let answers = `${questions.length / 4},`;
    try {
      for (let i = 0; i < questions.length; i += 4) {
        const [registration = 0, capability = 0, asksWhen = 0, votes = 0] = questions.subarray(i, i + 4);
        const answer = ask(registration, capability, asksWhen === 1, votes);
        answers += frame.when(answer.when) + frame.votes(answer.votes);
      }
    } catch (error) {
      kernel.answer(Call.DropSurvey, this.#handle, survey);
      throw error;
    }
    const budget = call === Call.Explain ? "" : frame.budget(query);
    kernel.answer(call, this.#handle, survey, now, budget + answers + rest);
    return read(kernel.takeReply(), kernel.takeNumbers());
  }
}
