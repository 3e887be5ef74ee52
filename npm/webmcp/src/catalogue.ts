import type {
  AgentCapabilityDescriptorUnion,
  AgentConsumer,
  AgentEffect,
  AgentSurfaceRegistry,
  AgentSurfaceSnapshot,
  AgentToolset,
  SnapshotContext,
} from "@agent-surface/core";
import type { WebMcpAnnotations, WebMcpToolInit } from "./model-context.js";
import type { WebMcpProblem } from "./status.js";

/** What an app says of a tool that the contract does not. */
export interface WebMcpCuration {
  /** Instead of the contract's description. */
  description?: string;
  /** Instead of one made from the capability's name. */
  title?: string;
  /** Origins whose documents see this tool, instead of the adapter's own `exposedTo`. */
  exposedTo?: string[];
  /** Whether the output may be written by people that neither the app nor its user vouches for. Default `false`. */
  untrustedContent?: boolean;
}

/** A tool that is to be on offer. */
export interface Offer {
  readonly tool: Omit<WebMcpToolInit, "execute">;
  readonly exposedTo: string[] | undefined;
  readonly target: Target;
}

/** What calling a tool means. */
export interface Target {
  readonly capabilityId: string;
  readonly registrationId: string;
}

/** Where offers come from. */
export interface Catalogue {
  readonly registry: AgentSurfaceRegistry;
  readonly consumer: AgentConsumer;
  readonly context: Omit<SnapshotContext, "consumer">;
  /** Knows the tools' names, and what the contracts say of them. */
  readonly toolset: AgentToolset;
  readonly curate:
    | ((descriptor: AgentCapabilityDescriptorUnion) => WebMcpCuration | null | undefined)
    | undefined;
  readonly exposedTo: string[] | undefined;
}

/** What a surface has to offer. */
export interface Listing {
  readonly offers: Offer[];
  /** What is left out without the app having said so. */
  readonly problems: WebMcpProblem[];
}

/** A capability of a snapshot, whatever its kind. */
interface Seen extends Target {
  readonly descriptor: AgentCapabilityDescriptorUnion;
  readonly effect: AgentEffect;
  /** Its name without the component's. */
  readonly name: string;
}

/**
 * What the surface has to offer right now.
 *
 * @throws Error where the registry was disposed
 */
export function listOffers(catalogue: Catalogue): Listing {
  const { registry, consumer, context, toolset } = catalogue;
  const { scope, budget, includeUnavailable = false } = context;
  const whole = { consumer, ...(scope !== undefined && { scope }) };
  const unnamed = groupById(list(registry.snapshot(whole)));
  const problems: WebMcpProblem[] = [];
  const kept = budget && cut(registry.snapshot({ ...whole, budget }), problems);
  const tools = toolset.tools();
  const ids = toolset.wireNameMap();
  const offers: Offer[] = [];
  for (const { name, description, inputSchema } of tools) {
    // The instances of one capability stand in one order in a snapshot and among a toolset's tools.
    const seen = unnamed.get(ids.get(name) ?? "")?.shift();
    if (seen === undefined || kept?.has(keyOf(seen)) === false) continue;
    if (!seen.descriptor.available && !includeUnavailable) continue;
    const curated = curate(catalogue, seen, name, problems);
    if (curated === null) continue;
    offers.push({
      tool: {
        name,
        title: curated.title || titleOf(seen, name),
        description: curated.description || description,
        inputSchema,
        annotations: annotate(seen.effect, curated),
      },
      exposedTo: curated.exposedTo ?? catalogue.exposedTo,
      target: { capabilityId: seen.capabilityId, registrationId: seen.registrationId },
    });
  }
  return { offers, problems };
}

/** Everything that can be called in a snapshot. */
function list({ components, procedures }: AgentSurfaceSnapshot): Seen[] {
  const seen: Seen[] = [];
  for (const { observations, actions, registrationId } of components) {
    for (const descriptor of observations) {
      const { capabilityId, name } = descriptor;
      seen.push({ descriptor, effect: "read", name, capabilityId, registrationId });
    }
    for (const descriptor of actions) {
      const { capabilityId, name, effect } = descriptor;
      seen.push({ descriptor, effect, name, capabilityId, registrationId });
    }
  }
  for (const descriptor of procedures) {
    const { procedureId, effect, registrationId } = descriptor;
    const name = procedureId.slice(Math.max(procedureId.lastIndexOf("."), procedureId.indexOf(":")) + 1);
    seen.push({ descriptor, effect, name, capabilityId: procedureId, registrationId });
  }
  return seen;
}

function groupById(all: readonly Seen[]): Map<string, Seen[]> {
  const groups = new Map<string, Seen[]>();
  for (const seen of all) {
    const group = groups.get(seen.capabilityId);
    if (group === undefined) groups.set(seen.capabilityId, [seen]);
    else group.push(seen);
  }
  return groups;
}

/** What a budget leaves of a surface. */
function cut(snapshot: AgentSurfaceSnapshot, problems: WebMcpProblem[]): Set<string> {
  const dropped = snapshot.truncated?.droppedComponents ?? 0;
  if (dropped > 0) {
    const message = `the budget of the adapter's snapshotContext leaves ${dropped} components out`;
    problems.push({ reason: "truncated", message });
  }
  return new Set(list(snapshot).map(keyOf));
}

function keyOf({ capabilityId, registrationId }: Target): string {
  return `${registrationId} ${capabilityId}`;
}

/** What the app says of a capability; null where it is not to be exposed. */
function curate(
  { curate: ask }: Catalogue,
  { descriptor }: Seen,
  tool: string,
  problems: WebMcpProblem[],
): WebMcpCuration | null {
  if (ask === undefined) return {};
  try {
    const curated = ask(descriptor);
    return curated === undefined ? {} : curated;
  } catch (error) {
    const message = `exposeCapability threw for ${tool}, which is not exposed: ${String(error)}`;
    problems.push({ reason: "curation-failed", tool, message });
    return null;
  }
}

function annotate(effect: AgentEffect, { untrustedContent = false }: WebMcpCuration): WebMcpAnnotations {
  return {
    readOnlyHint: effect === "read" || effect === "server-query",
    consequentialHint: effect === "destructive" || effect === "external-side-effect",
    untrustedContentHint: untrustedContent,
  };
}

/** `selectRows` as people write it; with the instance, where the tool's name has one. */
function titleOf({ name }: Seen, tool: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[_-]+/g, " ").toLowerCase();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const [, instance] = tool.split("_at_");
  return instance === undefined ? title : `${title} (${instance})`;
}
