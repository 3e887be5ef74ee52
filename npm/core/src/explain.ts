/**
 * Why a capability is or is not in a snapshot: for developers, tests and command lines. What policies hide is told
 * here, and so is who hides it; none of it may reach an agent. That is why it is an entry of its own: who imports the
 * package's root, as adapters do, can't reach it.
 */
import type { DiscoveryDecision } from "./policy.js";
import type { AgentSurfaceRegistry } from "./registry.js";
import type { SnapshotContext } from "./snapshot.js";
import { deepFreeze } from "./json.js";
import type { Vote } from "./kernel/words.js";
import type { PolicyScope } from "./surface/guards.js";
import { Look, readRoute } from "./surface/look.js";
import type { MountedCapability } from "./surface/mounted.js";
import { surfaceOf } from "./surface/seam.js";
import type { AgentConsumer, AgentRouteInfo } from "./types.js";

export type { PolicyScope } from "./surface/guards.js";

/** A policy, and what it says to a capability's being shown. */
export interface PolicyAttribution {
  name: string;
  /** To what it is attached. */
  scope: PolicyScope;
  /** Where it has its say. */
  phases: Array<"discovery" | "authorize" | "invoke">;
  /** Its own vote, if it votes. */
  discovery?: DiscoveryDecision;
  /** Whether it threw, or voted for nothing that there is; that hides. */
  threw?: boolean;
  /** Whether it may ask for the user's confirmation. */
  confirmationEscalation?: boolean;
}

/** A capability, and why it is shown or not. */
export interface CapabilityExplanation {
  capabilityId: string;
  kind: "observation" | "action" | "procedure";
  plane: "view" | "domain";
  description: string;
  registrationId: string;
  component: { type: string; instanceId: string };
  /** `hide`: a snapshot does not have it. */
  outcome: "expose" | "disable" | "hide";
  reason?: string;
  /** The whole chain, outermost first. */
  policies: PolicyAttribution[];
  /** What the component itself says, apart from all policies. */
  availability: { available: boolean; reason?: string };
}

/** Every capability of a surface, and why it is shown or not to one consumer. */
export interface SurfaceExplanation {
  surfaceId: string;
  surfaceVersion: string;
  /** ISO 8601. */
  capturedAt: string;
  route?: AgentRouteInfo;
  consumer: AgentConsumer;
  /** In the order of a snapshot, and complete: nothing is left out for being hidden, unavailable or too much. */
  capabilities: CapabilityExplanation[];
}

/**
 * Explains a surface to its developers, for one consumer and scope.
 *
 * @throws TypeError for what `createAgentSurfaceRegistry` has not made
 * @throws Error where the registry was disposed
 */
export function explainSurface(
  registry: AgentSurfaceRegistry,
  context?: SnapshotContext,
): SurfaceExplanation {
  const surface = surfaceOf(registry, "explainSurface");
  const look = new Look(surface, context);
  const votesOf = new Map<MountedCapability, readonly Vote[]>();
  const explained = surface.look(
    (kernel) =>
      kernel.explain(look.query, (registration, index, asksWhen, votes) => {
        const answer = look.ask(registration, index, asksWhen, votes);
        const capability = surface.mounted(registration)?.capabilities[index];
        if (capability !== undefined) votesOf.set(capability, answer.votes);
        return answer;
      }),
    "explainSurface",
  );
  const capabilities: CapabilityExplanation[] = [];
  for (const { registration, capability: index, outcome, reason, obstacle } of explained) {
    const mounted = surface.mounted(registration);
    const capability = mounted?.capabilities[index];
    if (mounted === undefined || capability === undefined) continue;
    const { kind } = capability.described;
    capabilities.push({
      capabilityId: capability.id,
      kind,
      plane: kind === "procedure" ? "domain" : "view",
      description: capability.described.description,
      registrationId: mounted.id,
      component: { type: mounted.type, instanceId: mounted.instanceId },
      outcome,
      ...(reason !== undefined && { reason }),
      policies: attribute(capability, votesOf.get(capability) ?? []),
      availability: {
        available: obstacle === undefined,
        ...(obstacle !== undefined && { reason: obstacle }),
      },
    });
  }
  const route = readRoute(surface);
  return deepFreeze({
    surfaceId: surface.id,
    surfaceVersion: String(surface.version),
    capturedAt: new Date(surface.clock.now()).toISOString(),
    ...(route !== undefined && { route }),
    consumer: look.consumer,
    capabilities,
  });
}

function attribute({ chain }: MountedCapability, votes: readonly Vote[]): PolicyAttribution[] {
  return chain.guards.map((guard) => {
    const { name, scope, discovery, authorize, invoke, escalates } = guard;
    const vote = discovery ? (votes[chain.voters.indexOf(guard)] ?? "threw") : undefined;
    return {
      name,
      scope,
      phases: [
        ...(discovery ? (["discovery"] as const) : []),
        ...(authorize ? (["authorize"] as const) : []),
        ...(invoke ? (["invoke"] as const) : []),
      ],
      ...(vote !== undefined && { discovery: decisionOf(vote) }),
      ...(vote === "threw" && { threw: true }),
      ...(escalates && { confirmationEscalation: true }),
    };
  });
}

function decisionOf(vote: Vote): DiscoveryDecision {
  if (typeof vote === "object") return { decision: "disable", reason: vote.disable };
  return { decision: vote === "threw" ? "hide" : vote };
}
