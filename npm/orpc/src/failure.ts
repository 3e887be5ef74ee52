import { AgentSurfaceError, type AgentCapabilityErrorPayload } from "@agent-surface/core";

/** What an app says of an error that a call ended with; `undefined` for those that it has no word for. */
export type MapServerError = (error: unknown) => AgentCapabilityErrorPayload | undefined;

/** How long an agent waits before it tries again after a failure that may pass, in milliseconds. */
const RETRY_AFTER_MS = 1000;

const REFUSALS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["UNAUTHORIZED", "FORBIDDEN", 401, 403]);

/**
 * What an agent is told of an error that a call ended with. Nothing that the server or the network says reaches the
 * agent, but for the id of an approval: `mapServerError` has the first word, for those who want more.
 */
export function explainFailure(
  error: unknown,
  mapServerError: MapServerError | undefined,
): AgentSurfaceError {
  const payload = mapServerError?.(error) ?? readRefusal(error) ?? transportFailure(isTransient(error));
  return new AgentSurfaceError(payload, { cause: error });
}

/** What an agent is told of a procedure that the client does not have, or the manifest. */
export function missingProcedure(): AgentSurfaceError {
  return new AgentSurfaceError(transportFailure(false));
}

/** The refusals that every server has: it does not know the user, or wants an approval of its own. */
function readRefusal(error: unknown): AgentCapabilityErrorPayload | undefined {
  const { code, status, data } = membersOf(error);
  if (REFUSALS.has(code) || REFUSALS.has(status)) {
    return {
      code: "NOT_AUTHORIZED",
      message: "The server does not allow this call.",
      retry: "no",
      details: { origin: "server" },
    };
  }
  const { approvalRequired, approvalId } = membersOf(data);
  if (code !== "APPROVAL_REQUIRED" && approvalRequired !== true) return undefined;
  return {
    code: "CONFIRMATION_REQUIRED",
    message: "The server wants this approved on its own side first. Try again once it is.",
    retry: "with-confirmation",
    details: { origin: "server", ...(typeof approvalId === "string" && { confirmationId: approvalId }) },
  };
}

function transportFailure(isTransient: boolean): AgentCapabilityErrorPayload {
  return {
    code: "EXECUTION_FAILED",
    message: "The call to the server failed.",
    retry: isTransient ? "after-delay" : "no",
    details: {
      reason: "transport",
      ...(isTransient && { transient: true, retryAfterMs: RETRY_AFTER_MS }),
    },
  };
}

/** Whether it may go well the next time: `fetch` throws a TypeError where the network fails. */
function isTransient(error: unknown): boolean {
  return error instanceof TypeError || membersOf(error)["transient"] === true;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
