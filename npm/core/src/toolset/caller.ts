import type { ConfirmationController } from "../confirmation.js";
import type { AgentCapabilityErrorPayload } from "../errors.js";
import type { AgentInvocation, AgentInvocationResult } from "../invocation.js";
import type { Surface } from "../surface/surface.js";
import type { AgentConsumer } from "../types.js";

/** Calls capabilities for one consumer, waits for its user where that is wanted, and never throws. */
export class Caller {
  readonly surface: Surface;
  readonly consumer: AgentConsumer;
  /** What a call that the user has to approve waits for; nothing where the model is told instead. */
  readonly #confirmations: ConfirmationController | undefined;
  readonly #disposal = new AbortController();

  constructor(surface: Surface, consumer: AgentConsumer, confirmations: ConfirmationController | undefined) {
    this.surface = surface;
    this.consumer = consumer;
    this.#confirmations = confirmations;
  }

  /** @param signal gives the call up, be it that its user is waited for */
  async call(request: AgentInvocation, signal?: AbortSignal): Promise<AgentInvocationResult> {
    const result = await this.#invoke(request, signal);
    const confirmations = this.#confirmations;
    if (confirmations === undefined || result.status === "ok") return result;
    const { code, details } = result.error;
    const confirmationId = details?.["confirmationId"];
    if (code !== "CONFIRMATION_REQUIRED" || typeof confirmationId !== "string") return result;
    // One that a server wants is not this page's user's to give, and calling the server again would not get it.
    const { surface } = this;
    if (!surface.isDisposed && surface.confirmationState(confirmationId) === undefined) return result;
    const disposal = this.#disposal.signal;
    await confirmations.waitFor(confirmationId, {
      signal: signal === undefined ? disposal : AbortSignal.any([disposal, signal]),
    });
    if (disposal.aborted) return result;
    // The same invocation: the request was not answered yet, only asked about.
    return this.#invoke({ ...request, invocationId: result.invocationId, confirmationId }, signal);
  }

  /** Ends all waiting. */
  dispose(): void {
    this.#disposal.abort();
  }

  /** An error that is told without an invocation. */
  refuse(
    error: AgentCapabilityErrorPayload,
    {
      capabilityId,
      invocationId = this.surface.nextId(),
    }: Pick<AgentInvocation, "capabilityId" | "invocationId">,
  ): AgentInvocationResult {
    return {
      status: "error",
      invocationId,
      capabilityId,
      error,
      surfaceVersion: String(this.surface.version),
    };
  }

  async #invoke(request: AgentInvocation, signal?: AbortSignal): Promise<AgentInvocationResult> {
    const { consumer } = this;
    try {
      return await this.surface.invoke(request, signal === undefined ? { consumer } : { consumer, signal });
    } catch (error) {
      return this.surface.answerBehind(error) ?? this.refuse(CLOSED, request);
    }
  }
}

/** What an agent is told that calls a surface after its end. */
export const CLOSED: AgentCapabilityErrorPayload = Object.freeze({
  code: "CANCELLED",
  message: "The surface was closed.",
  retry: "no",
});
