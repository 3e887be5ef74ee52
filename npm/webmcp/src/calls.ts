import {
  jsonDeepEqual,
  type AgentCapabilityErrorPayload,
  type AgentConsumer,
  type AgentSurfaceRegistry,
  type JsonValue,
} from "@agent-surface/core";
import type { Target } from "./catalogue.js";
import type { WebMcpToolResult } from "./model-context.js";

/** A call that the user has to approve. */
interface Asked extends Target {
  readonly input: JsonValue;
  readonly confirmationId: string;
}

/** What an invocation came to, for an agent. */
type Answer =
  | { readonly output: JsonValue; readonly error?: undefined }
  | { readonly error: AgentCapabilityErrorPayload };

/** How many of them are remembered, the latest. By default a registry has no more of them pending. */
const MAX_ASKED = 32;

/** What an agent is told that calls a surface after its end. */
const CLOSED: AgentCapabilityErrorPayload = {
  code: "CANCELLED",
  message: "The surface was closed.",
  retry: "no",
};

/** What an agent is told where the registry rejects, as it does in development to tell of a handler's defect. */
const FAILED: AgentCapabilityErrorPayload = {
  code: "EXECUTION_FAILED",
  message: "The call failed.",
  retry: "no",
};

/** How a call goes on that was answered with a question to the user. */
const ASK_AGAIN =
  "The user is asked to approve exactly this call. After that, call this tool again with the same input.";

/**
 * The calls of one consumer.
 *
 * Browsers know of no confirmations, and a tool's schema is the contract's, with no place for one. So the second phase
 * of a call that the user has to approve is the same call once more, and its evidence is supplied here. What that
 * evidence is good for is decided by the registry: for this consumer and exactly this call, once.
 */
export class Calls {
  /** The version of the surface whose tools are on offer. */
  surfaceVersion = "";
  readonly #registry: AgentSurfaceRegistry;
  readonly #consumer: AgentConsumer;
  /** Tells whether the registry was disposed, which it does not say by itself. */
  readonly #isOver: () => boolean;
  #asked: readonly Asked[] = [];
  #isClosed = false;

  constructor(registry: AgentSurfaceRegistry, consumer: AgentConsumer, isOver: () => boolean) {
    this.#registry = registry;
    this.#consumer = consumer;
    this.#isOver = isOver;
  }

  /** Calls a capability. Whatever happens is a result. */
  async call(target: Target, input: JsonValue, signal: AbortSignal | undefined): Promise<WebMcpToolResult> {
    try {
      const answer = await this.#answer(target, input, signal);
      return answer.error === undefined ? write(answer.output) : this.#refuse(target, input, answer.error);
    } catch (error) {
      if (this.#isOver()) return write(CLOSED, true);
      // Nobody awaits a browser's call but the agent, which is told no more than that.
      globalThis.reportError?.(error);
      return write(FAILED, true);
    }
  }

  /** Refuses every later call. What runs is not given up: it may have had its effect already. */
  close(): void {
    this.#isClosed = true;
    this.#asked = [];
  }

  async #answer(target: Target, input: JsonValue, signal: AbortSignal | undefined): Promise<Answer> {
    const asked = this.#asked.find((it) => isSameCall(it, target, input));
    const answer = await this.#invoke(target, input, signal, asked?.confirmationId);
    if (asked === undefined) return answer;
    const invalid = whyInvalid(answer);
    if (answer.error === undefined || invalid !== undefined)
      this.#asked = this.#asked.filter((it) => it !== asked);
    // The agent did not send this evidence. That it was used up, or that the view has changed since the user was
    // asked, only means that the user has to be asked again. A denial is an answer.
    return invalid === "consumed" || invalid === "mismatch" ? this.#invoke(target, input, signal) : answer;
  }

  async #invoke(
    { capabilityId, registrationId }: Target,
    input: JsonValue,
    signal: AbortSignal | undefined,
    confirmationId?: string,
  ): Promise<Answer> {
    if (this.#isClosed) return { error: CLOSED };
    const result = await this.#registry.invoke(
      {
        capabilityId,
        registrationId,
        surfaceVersion: this.surfaceVersion,
        input,
        ...(confirmationId !== undefined && { confirmationId }),
      },
      { consumer: this.#consumer, ...(signal !== undefined && { signal }) },
    );
    return result.status === "ok" ? { output: result.output ?? null } : { error: result.error };
  }

  #refuse(target: Target, input: JsonValue, error: AgentCapabilityErrorPayload): WebMcpToolResult {
    const result = write(error, true);
    const { confirmationId, origin } = error.details ?? {};
    // What a server wants approved on its own side no evidence of this page is good for.
    const isOurs = error.code === "CONFIRMATION_REQUIRED" && origin === "client";
    if (!isOurs || typeof confirmationId !== "string") return result;
    const others = this.#asked.filter((it) => !isSameCall(it, target, input));
    this.#asked = [...others, { ...target, input, confirmationId }].slice(-MAX_ASKED);
    result.content.push({ type: "text", text: ASK_AGAIN });
    return result;
  }
}

/** Why the evidence was refused, if that is what happened. */
function whyInvalid({ error }: Answer): JsonValue | undefined {
  return error?.code === "CONFIRMATION_INVALID" ? (error.details?.["reason"] ?? "unknown") : undefined;
}

function isSameCall(asked: Asked, target: Target, input: JsonValue): boolean {
  return (
    asked.capabilityId === target.capabilityId &&
    asked.registrationId === target.registrationId &&
    jsonDeepEqual(asked.input, input)
  );
}

function write(value: JsonValue | AgentCapabilityErrorPayload, isError = false): WebMcpToolResult {
  const result: WebMcpToolResult = { content: [{ type: "text", text: JSON.stringify(value) }] };
  if (isError) result.isError = true;
  return result;
}
