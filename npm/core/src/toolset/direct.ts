import type { Composition, KernelRegistry, Tool } from "../kernel/registry.js";
import type { Millis } from "../kernel/words.js";
import { Look, readNote } from "../surface/look.js";
import type { MountedCapability } from "../surface/mounted.js";
import type { Surface } from "../surface/surface.js";
import type { JsonSchema } from "../types.js";
import type { Caller } from "./caller.js";
import type { AgentTool } from "./types.js";

/** The tools of a surface at one version. */
export interface Catalogue {
  readonly version: number;
  readonly tools: AgentTool[];
  /** The capability of each tool, by the tool's name. */
  readonly names: ReadonlyMap<string, string>;
}

/** What of a tool does not change while its registration lives. */
interface Listed extends Pick<
  Tool,
  "name" | "description" | "capabilityId" | "registrationId" | "instanceId"
> {
  readonly capability: MountedCapability;
  readonly inputSchema: JsonSchema;
}

/** A list of tools, by what stands in it. */
interface Listing {
  /** Pairs of a registration and a capability's index. */
  readonly targets: readonly number[];
  readonly tools: readonly (Listed | undefined)[];
  readonly names: ReadonlyMap<string, string>;
}

/** The latest list of each surface. From one version to the next, most often only states are other ones. */
const listings = /* @__PURE__ */ new WeakMap<Surface, Listing>();

/** One tool for each capability that the consumer is shown. */
export function listTools(caller: Caller, scope: string[] | undefined): Catalogue {
  const { surface, consumer } = caller;
  const { version } = surface;
  if (surface.isDisposed) return { version, tools: [], names: new Map() };
  const look = new Look(surface, { consumer, ...(scope !== undefined && { scope }) });
  return surface.look((kernel, now) => {
    const composition = kernel.snapshot(now, look.query, look.ask);
    if (composition === "disposed") return composition;
    const { targets, reasons } = readTargets(composition);
    const listing = findListing(surface, targets) ?? makeListing(surface, targets, kernel, now, look);
    if (listing === "disposed") return listing;
    const surfaceVersion = String(composition.surfaceVersion);
    const tools: AgentTool[] = [];
    listing.tools.forEach((listed, at) => {
      if (listed !== undefined) tools.push(offer(listed, reasons[at], surfaceVersion, caller));
    });
    return { version, tools, names: listing.names };
  }, "tools");
}

/** What is shown, in the order of tools, and why some of it can't be used. */
function readTargets({ components, procedures, reasons: texts }: Composition) {
  const targets: number[] = [];
  const reasons: (string | undefined)[] = [];
  const add = (registration = -1, index = -1, reason = 0): void => {
    targets.push(registration, index);
    reasons.push(texts[reason - 1]);
  };
  for (let at = 0; at < components.length;) {
    const end = at + 2 + 2 * (components[at + 1] ?? 0);
    for (let pair = at + 2; pair < end; pair += 2)
      add(components[at], components[pair], components[pair + 1]);
    at = end;
  }
  for (let at = 0; at < procedures.length; at += 3) {
    add(procedures[at], procedures[at + 1], procedures[at + 2]);
  }
  return { targets, reasons };
}

function findListing(surface: Surface, targets: readonly number[]): Listing | undefined {
  const listing = listings.get(surface);
  const isSame =
    listing?.targets.length === targets.length && targets.every((part, at) => part === listing.targets[at]);
  return isSame ? listing : undefined;
}

/** Asks the kernel for names and texts: they depend on all that is listed. */
function makeListing(
  surface: Surface,
  targets: readonly number[],
  kernel: KernelRegistry,
  now: Millis,
  look: Look,
): Listing | "disposed" {
  const tools = kernel.tools(now, look.query, look.ask);
  if (tools === "disposed") return tools;
  const byTarget = new Map(tools.map((tool) => [`${tool.registration} ${tool.capability}`, tool]));
  const names = new Map<string, string>();
  const listed: (Listed | undefined)[] = [];
  for (let at = 0; at < targets.length; at += 2) {
    const [registration = -1, index = -1] = targets.slice(at, at + 2);
    const tool = byTarget.get(`${registration} ${index}`);
    const mounted = surface.mounted(registration);
    const capability = mounted?.capabilities[index];
    const inputSchema = mounted && surface.showcase.of(mounted)?.capabilities[index]?.toolSchema;
    if (tool === undefined || capability === undefined || inputSchema === undefined) {
      listed.push(undefined);
      continue;
    }
    names.set(tool.name, tool.capabilityId);
    listed.push({ ...tool, capability, inputSchema });
  }
  const listing = { targets, tools: listed, names };
  listings.set(surface, listing);
  return listing;
}

function offer(
  listed: Listed,
  reason: string | undefined,
  surfaceVersion: string,
  caller: Caller,
): AgentTool {
  const { name, description, inputSchema, capability, capabilityId, registrationId, instanceId } = listed;
  const state: AgentTool["state"] = { available: reason === undefined };
  if (reason !== undefined) state.unavailableReason = reason;
  const note = readNote(capability);
  if (note !== undefined) state.note = note;
  return {
    name,
    description,
    inputSchema,
    state,
    execute: (input, { toolCallId, confirmationId, signal } = {}) => {
      const request = {
        capabilityId,
        registrationId,
        surfaceVersion,
        input,
        ...(instanceId !== undefined && { instanceId }),
        ...(toolCallId !== undefined && { invocationId: toolCallId }),
        ...(confirmationId !== undefined && { confirmationId }),
      };
      return caller.call(request, signal);
    },
  };
}

/** Whether two catalogues look the same to a model. */
export function isSameCatalogue(a: Catalogue, b: Catalogue): boolean {
  return (
    a.tools.length === b.tools.length &&
    a.tools.every((tool, index) => {
      const other = b.tools[index];
      return other !== undefined && isSameTool(tool, other);
    })
  );
}

function isSameTool(a: AgentTool, b: AgentTool): boolean {
  return (
    a.name === b.name &&
    a.description === b.description &&
    a.state.available === b.state.available &&
    a.state.unavailableReason === b.state.unavailableReason &&
    a.state.note === b.state.note &&
    // A component that was mounted again has schemas of its own, which usually say the same.
    (a.inputSchema === b.inputSchema || JSON.stringify(a.inputSchema) === JSON.stringify(b.inputSchema))
  );
}
