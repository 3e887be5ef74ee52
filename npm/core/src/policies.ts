import { recordTo, type AuditSink } from "./audit.js";
import { AgentSurfaceError, type AgentCapabilityErrorPayload } from "./errors.js";
import {
  CONFIRMATION_ESCALATION,
  type AgentPolicy,
  type AgentPolicyContext,
  type AgentPolicyWithEscalation,
  type ConfirmationEscalation,
} from "./policy.js";
import type { AgentEnvironment } from "./types.js";

/*
 * The policies that need nothing but what they are given. Who lacks a right is not shown what it is a right to, so
 * all of them that decide about rights hide; and as a catalogue may be old, they decide again at invocation.
 */

/** Hides what `allows` does not allow, and refuses it with `refusal`. */
function gate(
  name: string,
  allows: (ctx: AgentPolicyContext) => boolean,
  refusal: AgentCapabilityErrorPayload,
): AgentPolicy {
  return {
    name,
    onDiscovery: (ctx) => ({ decision: allows(ctx) ? "expose" : "hide" }),
    onAuthorize: (ctx, next) => (allows(ctx) ? next() : Promise.reject(new AgentSurfaceError(refusal))),
  };
}

/** Somebody must be signed in: the host's context has something at `key`, by default `user`. */
export function authenticated(options?: { key?: string }): AgentPolicy {
  const key = options?.key ?? "user";
  return gate("authenticated", ({ host }) => Boolean(host[key]), {
    code: "NOT_AUTHENTICATED",
    message: "Nobody is signed in, and this needs a user. Ask the user to sign in.",
    retry: "no",
  });
}

/** Whoever is signed in must have a permission; `check` knows who has which. */
export function hasPermission(
  permission: string,
  check: (host: Record<string, unknown>, permission: string) => boolean,
): AgentPolicy {
  return gate(`has-permission(${permission})`, ({ host }) => check({ ...host }, permission), {
    code: "NOT_AUTHORIZED",
    message: "The user has no permission for this.",
    retry: "no",
    details: { origin: "client" },
  });
}

/** What belongs to a tenant is for that tenant alone; what `expected` gives no tenant for is for all. */
export function tenantBoundary(options: {
  current: (host: Record<string, unknown>) => string | undefined;
  expected: (ctx: AgentPolicyContext) => string | undefined;
}): AgentPolicy {
  const allows = (ctx: AgentPolicyContext): boolean => {
    const expected = options.expected(ctx);
    return expected === undefined || options.current({ ...ctx.host }) === expected;
  };
  return gate("tenant-boundary", allows, {
    code: "NOT_AUTHORIZED",
    message: "This belongs to another tenant.",
    retry: "no",
    details: { origin: "client" },
  });
}

/** There only in some environments. In others nothing tells that it exists. */
export function environment(allowed: AgentEnvironment[]): AgentPolicy {
  return gate("environment", (ctx) => allowed.includes(ctx.environment), {
    code: "CAPABILITY_NOT_FOUND",
    message: "The surface has no such capability. Discover the surface again and choose from what it has.",
    retry: "after-refresh",
  });
}

/**
 * At most `limit` calls of one capability by one consumer in `windowMs` milliseconds. It counts what passes it,
 * whatever comes of that.
 */
export function rateLimit(options: { limit: number; windowMs: number }): AgentPolicy {
  const { limit, windowMs } = options;
  /** When calls passed, oldest first, by who called what. Only who called within the window is in it. */
  const passed = new Map<string, number[]>();
  let swept = Number.NEGATIVE_INFINITY;
  const sweep = (now: number): void => {
    if (now - swept < windowMs) return;
    swept = now;
    for (const [key, times] of passed) if ((times.at(-1) ?? 0) <= now - windowMs) passed.delete(key);
  };
  return {
    name: "rate-limit",
    onAuthorize(ctx, next) {
      const now = ctx.now();
      sweep(now);
      const key = JSON.stringify([ctx.consumer.kind, ctx.consumer.id, ctx.capabilityId]);
      const times = passed.get(key) ?? [];
      const expired = times.findIndex((time) => time > now - windowMs);
      times.splice(0, expired === -1 ? times.length : expired);
      if (times.length >= limit) {
        const retryAfterMs = Math.max(0, (times[0] ?? now) + windowMs - now);
        const refusal = new AgentSurfaceError({
          code: "RATE_LIMITED",
          message: "Too many calls of this. Wait before you call it again.",
          retry: "after-delay",
          details: { reason: "rate", retryAfterMs },
        });
        return Promise.reject(refusal);
      }
      times.push(now);
      passed.set(key, times);
      return next();
    },
  };
}

/** Asks for the user's confirmation, always or when `if` says so, whatever the contract asks for. */
export function requireConfirmation(options?: ConfirmationEscalation): AgentPolicy {
  const policy: AgentPolicyWithEscalation = {
    name: "require-confirmation",
    [CONFIRMATION_ESCALATION]: { if: options?.if, summary: options?.summary },
  };
  return policy;
}

/** Gives a sink records of the invocations it sees; with `full`, of their inputs and outputs as well. */
export function audit(sink?: AuditSink, level: "metadata" | "full" = "metadata"): AgentPolicy {
  return {
    name: "audit",
    async onInvoke(ctx, next) {
      const { capabilityId, registrationId, invocationId, effectiveInput } = ctx;
      const subject = { capabilityId, registrationId, invocationId, consumerId: ctx.consumer.id };
      const started = ctx.now();
      recordTo(sink, {
        at: new Date(started).toISOString(),
        type: "invocation-started",
        ...subject,
        ...(level === "full" && { payload: { input: effectiveInput } }),
      });
      const result = await next();
      const settled = ctx.now();
      recordTo(sink, {
        at: new Date(settled).toISOString(),
        type: "invocation-settled",
        ...subject,
        status: result.status,
        ...(result.status === "error" && { code: result.error.code }),
        durationMs: settled - started,
        ...(level === "full" &&
          result.status === "ok" &&
          result.output !== undefined && { payload: { output: result.output } }),
      });
      return result;
    },
  };
}
