import type { Vote, When } from "../kernel/words.js";
import type { AgentPolicyContext } from "../policy.js";
import type { Guard } from "./guards.js";
import type { MountedCapability } from "./mounted.js";
import type { Report } from "./report.js";

/** What a capability's `when` says, and why not. One that throws does not hold. */
export function readWhen(capability: MountedCapability, report: Report): When {
  try {
    const handlers = capability.handlers;
    if (handlers?.when === undefined || handlers.when() !== false) return "holds";
    return { fails: readReason(handlers.unavailableReason) };
  } catch (error) {
    report.warn(`when() of ${capability.id} threw, which counts as unavailable`, error);
    return "threw";
  }
}

function readReason(reason: string | (() => string) | undefined): string | undefined {
  try {
    const text: unknown = typeof reason === "function" ? reason() : reason;
    return typeof text === "string" ? text : undefined;
  } catch {
    // The kernel has a reason of its own.
    return undefined;
  }
}

/** What policies vote, in order. One that throws, or says what is no vote, hides. */
export function readVotes(voters: readonly Guard[], ctx: AgentPolicyContext): Vote[] {
  return voters.map((guard) => readVote(guard, ctx));
}

function readVote(guard: Guard, ctx: AgentPolicyContext): Vote {
  try {
    const vote: unknown = guard.onDiscovery?.(ctx);
    if (typeof vote !== "object" || vote === null) return "threw";
    const { decision, reason } = vote as { decision?: unknown; reason?: unknown };
    if (decision === "expose" || decision === "hide") return decision;
    return decision === "disable" ? { disable: String(reason) } : "threw";
  } catch {
    return "threw";
  }
}
