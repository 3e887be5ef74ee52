import {
  AGENT_CAPABILITY_ERROR_CODES,
  isAgentSurfaceError,
  type AgentCapabilityErrorCode,
  type AgentErrorRetry,
} from "../errors.js";
import type { AgentInvocationResult } from "../invocation.js";
import { deepFreeze, writeJson } from "../json.js";
import type { AuthoredError, Passage } from "../kernel/words.js";
import type { JsonValue } from "../types.js";
import type { Ending } from "./guarding.js";

/*
 * What an author's code hands over, read once. After that nobody looks at the object again, so that it makes no
 * difference what its getters, its proxies or its owner do next.
 */

const RETRIES: readonly AgentErrorRetry[] = [
  "no",
  "yes",
  "after-refresh",
  "after-delay",
  "with-confirmation",
  "with-changes",
];

/** The error that was thrown for the agent to see; `undefined` where something else was thrown. */
export function readThrown(error: unknown): AuthoredError | undefined {
  try {
    return isAgentSurfaceError(error) ? readError(error.payload) : undefined;
  } catch {
    return undefined;
  }
}

/** An error payload; `undefined` where it is none. */
function readError(payload: unknown): AuthoredError | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { code, message, retry, details } = payload as Record<string, unknown>;
  if (!AGENT_CAPABILITY_ERROR_CODES.includes(code as AgentCapabilityErrorCode)) return undefined;
  if (!RETRIES.includes(retry as AgentErrorRetry) || typeof message !== "string") return undefined;
  return {
    code: code as AgentCapabilityErrorCode,
    message,
    retry: retry as AgentErrorRetry,
    details: readDetails(details),
  };
}

/** Details as text; `undefined` where they are no object of JSON: an error is told even so. */
function readDetails(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return undefined;
  try {
    return writeJson(details);
  } catch {
    return undefined;
  }
}

/** What policies made of an invocation; `given` is the result that they were shown, if they were. */
export function readEnding(ending: Ending, given: AgentInvocationResult | undefined): Passage {
  if ("returned" in ending) return readResult(ending.returned, given);
  const refused = readThrown(ending.thrown);
  return refused === undefined ? "threw" : { refused };
}

function readResult(result: unknown, given: AgentInvocationResult | undefined): Passage {
  // What they were shown is frozen, so that it is still what it was.
  if (given !== undefined && result === given) return "passed";
  try {
    if (typeof result !== "object" || result === null) return "threw";
    const { status, output, error } = result as { status?: unknown; output?: unknown; error?: unknown };
    if (status === "ok") return { returned: output === undefined ? undefined : writeJson(output) };
    const refused = status === "error" ? readError(error) : undefined;
    return refused === undefined ? "threw" : { refused };
  } catch {
    return "threw";
  }
}

/** A result as it is once policies made something else of it: what the policies around them are shown. */
export function resultOf(passage: Passage, given: AgentInvocationResult): AgentInvocationResult {
  if (typeof passage === "string") return given;
  const { invocationId, capabilityId, surfaceVersion, surfaceChanged } = given;
  const common = {
    invocationId,
    capabilityId,
    surfaceVersion,
    ...(surfaceChanged !== undefined && { surfaceChanged }),
  };
  if ("returned" in passage) {
    const output =
      passage.returned === undefined ? {} : { output: JSON.parse(passage.returned) as JsonValue };
    return deepFreeze({ status: "ok", ...output, ...common });
  }
  const { code, message, retry, details } = passage.refused;
  const error = {
    code,
    message,
    retry,
    ...(details !== undefined && { details: JSON.parse(details) as Record<string, JsonValue> }),
  };
  return deepFreeze({ status: "error", error, ...common });
}

/** What a precondition says: nothing to let pass, or a failure. */
export function readPrecondition(failure: unknown): Passage {
  if (failure === undefined || failure === null) return "passed";
  if (typeof failure !== "object") return "threw";
  const { message, details } = failure as { message?: unknown; details?: unknown };
  if (typeof message !== "string") return "threw";
  return {
    refused: { code: "PRECONDITION_FAILED", message, retry: "with-changes", details: readDetails(details) },
  };
}

/** Why a validator refuses an input. */
export function readIssues(error: unknown): { path: string; message: string }[] {
  try {
    const { name, issues } = error as { name?: unknown; issues?: unknown };
    if (name === "AgentSchemaError" && Array.isArray(issues)) {
      return issues.map((issue: { path?: unknown; message?: unknown }) => ({
        path: String(issue.path ?? ""),
        message: String(issue.message),
      }));
    }
  } catch {
    // What can't be read is as good as none.
  }
  return [{ path: "", message: "does not satisfy the schema" }];
}
