import type { AgentInvocationResult } from "../invocation.js";
import type { AgentConsumer, JsonSchema, JsonValue, Unsubscribe } from "../types.js";

/** How a surface is offered to a model. */
export interface AgentToolsetOptions {
  /** Whose tools they are: stable, and another one for each loop. */
  consumer: AgentConsumer;
  /**
   * `direct`: one tool for each capability, with its own schema. `meta`: three tools for a surface of any size, which
   * the model discovers first; these three may still change. Default `direct`.
   */
  mode?: "direct" | "meta";
  /**
   * Where the loop runs: `embedded` in the page, which can wait for its user, or `remote`, which can't. This or
   * `confirmations` has to be said.
   */
  topology?: "embedded" | "remote";
  /**
   * `wait`: a call that the user has to approve waits for that, and the model sees one call and one result.
   * `two-phase`: the model is told `CONFIRMATION_REQUIRED`, and calls again. By default what the topology can do.
   */
  confirmations?: "wait" | "two-phase";
  /**
   * Types of components, each with all below it, that are offered at all. In `meta` mode a model may ask for less of
   * it, never for more. It limits what is discovered and grants nothing.
   */
  scope?: string[];
  /**
   * What a discovery is cut down to. In `meta` mode only: tools that are left out would be left out in silence.
   *
   * @experimental
   */
  budget?: { maxComponents?: number; maxBytes?: number };
}

/** A tool for a model's provider. */
export interface AgentTool {
  /** At most 64 characters of `[A-Za-z0-9_-]`, and the only one of that name in its catalogue. */
  name: string;
  /**
   * What does not change: plane, effect, whether the user is asked, and the author's text. A provider may keep it in
   * its cache from one step to the next.
   */
  description: string;
  inputSchema: JsonSchema;
  /** What does change, to be told outside of the tools, so that their cache stays good. */
  state: {
    available: boolean;
    unavailableReason?: string;
    /** What a component says of the present situation. */
    note?: string;
  };
  /** Calls it. Whatever happens is a result; it never throws. */
  execute(input: JsonValue, call: AgentToolCall): Promise<AgentInvocationResult>;
}

/** What a host knows of a call, beside its input. */
export interface AgentToolCall {
  /** The provider's id of the call: the same call under the same id is done once. */
  toolCallId?: string;
  /**
   * The confirmation that an earlier call was answered with and the user has given since, where the model was told of
   * it. That call's `invocationId` is the `toolCallId` to go on with. In `meta` mode both are in the input.
   */
  confirmationId?: string;
  /** Gives the call up: it is answered `CANCELLED`. */
  signal?: AbortSignal;
}

/** The tools of one consumer. */
export interface AgentToolset {
  /** The catalogue of the surface's present version. */
  tools(): AgentTool[];
  /**
   * What the names of the last catalogue stand for. A host has to look here and not read names by itself: shortened
   * ones can't be read. Empty in `meta` mode, whose tools are no capabilities.
   */
  wireNameMap(): ReadonlyMap<string, string>;
  /** Calls `listener` when the catalogue becomes another one, be it only in a tool's state. Never in `meta` mode. */
  subscribe(listener: (tools: AgentTool[]) => void): Unsubscribe;
  /** Ends subscriptions and waiting; a call that waits for its user is answered `CONFIRMATION_REQUIRED` then. */
  dispose(): void;
}
