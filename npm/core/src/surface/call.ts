import type { AgentInvocationResult } from "../invocation.js";
import { deepFreeze } from "../json.js";
import type { InvocationKey, Passage } from "../kernel/words.js";
import type { AgentConsumer } from "../types.js";
import type { Guarding } from "./guarding.js";

/** What an agent would have been answered, by the error that a developer got instead. */
export const answers = /* @__PURE__ */ new WeakMap<object, AgentInvocationResult>();

/** An invocation that has no answer yet, or whose handler is still at it: what of it is the host's business. */
export class Call {
  readonly consumer: AgentConsumer;
  readonly capabilityId: string;
  /** Whether there is an input: to a validator, none is another thing than `null`. */
  readonly hasInput: boolean;
  readonly #context: () => Readonly<Record<string, unknown>>;
  #host: Readonly<Record<string, unknown>> | undefined;
  #controller: AbortController | undefined;
  #isAborted = false;
  #stopListening: (() => void) | undefined;
  #resolve!: (result: AgentInvocationResult) => void;
  #reject!: (error: unknown) => void;

  /** The policies of each phase that has some. */
  authorizing: Guarding | undefined;
  invoking: Guarding | undefined;
  /** What came of the invocation, as the policies are shown it that are next to see it. */
  given: AgentInvocationResult | undefined;
  /** What the policies of the invoke phase made of that, and what they threw. */
  inner: Passage = "passed";
  refusal: { readonly thrown: unknown } | undefined;

  key: InvocationKey = 0;
  id = "";
  /** The surface's version when its policies came first to be asked. */
  version: number | undefined;
  /** Its answer: for whoever asked, and for everyone who joined. */
  readonly promise: Promise<AgentInvocationResult>;
  /** What is wrong with the handler's output, to be told to developers instead of an answer. */
  defect: Error | undefined;
  /** Whether its handler has done what there was to do. */
  hasReturned = false;
  isSettled = false;

  constructor(
    consumer: AgentConsumer,
    capabilityId: string,
    hasInput: boolean,
    context: () => Readonly<Record<string, unknown>>,
  ) {
    this.consumer = consumer;
    this.capabilityId = capabilityId;
    this.hasInput = hasInput;
    this.#context = context;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The host's context, asked for once, when somebody wants to know it. */
  get host(): Readonly<Record<string, unknown>> {
    return (this.#host ??= this.#context());
  }

  /** The signal of the handler; made when the handler looks at it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }

  /** Calls `onAbort` when the host gives the invocation up, as long as it has no answer. */
  listenTo(signal: AbortSignal, onAbort: () => void): void {
    signal.addEventListener("abort", onAbort, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", onAbort);
  }

  /** Takes over what the kernel calls it. */
  begin(key: InvocationKey, id: string): void {
    this.key = key;
    this.id = id;
  }

  /** Answers. Policies that wait for an outcome that will not come any more get the answer, too. */
  settle(result: AgentInvocationResult): void {
    this.close();
    if (this.defect === undefined) {
      this.#resolve(result);
    } else {
      answers.set(this.defect, result);
      this.#reject(this.defect);
    }
    const waiting = [this.invoking, this.authorizing].filter((guarding) => guarding?.isWaiting);
    if (waiting.length === 0) return;
    const shown = deepFreeze(JSON.parse(JSON.stringify(result)) as AgentInvocationResult);
    for (const guarding of waiting) guarding?.unwind({ result: shown });
  }

  /** Tells whoever waits that there will be no answer. */
  fail(error: Error): void {
    this.close();
    this.#reject(error);
    this.invoking?.unwind({ thrown: error });
    this.authorizing?.unwind({ thrown: error });
  }

  /** Ends it without an answer: another one answers in its stead. */
  close(): void {
    this.isSettled = true;
    this.#stopListening?.();
  }
}
