import type { AgentInvocation, InvokeOptions } from "../invocation.js";
import type { RequestInput } from "../kernel/input.js";
import type { AgentConsumer } from "../types.js";
import { wholeNumber } from "./describe.js";

/** By which ways a consumer may come. */
const KINDS: readonly unknown[] = [
  "embedded",
  "webmcp",
  "mcp-bridge",
  "test",
  "other",
] satisfies AgentConsumer["kind"][];

/** Whoever does not say who it is. */
const ANONYMOUS: AgentConsumer = Object.freeze({ id: "anonymous", kind: "embedded" });

/** A request as it was when it was made. */
export interface ReadRequest {
  readonly input: RequestInput & { readonly consumer: AgentConsumer };
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads a request, each of its members once, and its input as text. That text is what is judged, shown to the user
 * and executed, whatever becomes of the object.
 *
 * @throws TypeError where it is no request at all
 */
export function readRequest(request: AgentInvocation, options: InvokeOptions): ReadRequest {
  const { invocationId, capabilityId, instanceId, registrationId, surfaceVersion, confirmationId } = request;
  const { consumer, signal, timeoutMs } = options;
  return {
    input: {
      // What is no string is nobody's id, and so finds nothing.
      capabilityId: typeof capabilityId === "string" ? capabilityId : "",
      invocationId: optionalString(invocationId, "invocationId"),
      instanceId: optionalString(instanceId, "instanceId"),
      registrationId: optionalString(registrationId, "registrationId"),
      surfaceVersion: optionalString(surfaceVersion, "surfaceVersion"),
      confirmationId: optionalString(confirmationId, "confirmationId"),
      input: writeInput(request.input),
      consumer: readConsumer(consumer),
      timeoutMs: timeoutMs === undefined ? undefined : wholeNumber(timeoutMs),
      cancelled: signal?.aborted === true,
    },
    signal,
  };
}

/**
 * An input as text. What can't be written as JSON is a text that is none: the kernel answers that as any other input
 * that its schema does not allow.
 */
export function writeInput(input: unknown): string | undefined {
  if (input === undefined) return undefined;
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}

/** A consumer as it was when it was read. */
export function readConsumer(consumer: AgentConsumer | undefined): AgentConsumer {
  if (consumer === undefined) return ANONYMOUS;
  const { id, kind, grants } = consumer;
  if (typeof id !== "string" || !KINDS.includes(kind)) {
    throw new TypeError(`a consumer has an id and one of these kinds: ${KINDS.join(", ")}`);
  }
  if (grants === undefined) return Object.freeze({ id, kind });
  return Object.freeze({ id, kind, grants: Object.freeze(Array.from(grants, String)) as string[] });
}

function optionalString(value: unknown, member: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new TypeError(`the ${member} of an invocation is a string`);
}
