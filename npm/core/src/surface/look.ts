import { copyJson, deepFreeze } from "../json.js";
import type { Query } from "../kernel/input.js";
import type { AskAboutCapability, Composition } from "../kernel/registry.js";
import type { Millis } from "../kernel/words.js";
import type {
  AgentComponentDescriptor,
  AgentProcedureDescriptor,
  AgentSurfaceSnapshot,
  SnapshotContext,
} from "../snapshot.js";
import type { AgentConsumer, AgentRouteInfo } from "../types.js";
import { wholeNumber } from "./describe.js";
import type { MountedCapability } from "./mounted.js";
import { readConsumer } from "./request.js";
import type { Surface } from "./surface.js";
import { readVotes, readWhen } from "./votes.js";

/** One consumer's look at a surface: who looks at what, and what the kernel wants to know for that. */
export class Look {
  readonly #surface: Surface;
  readonly consumer: AgentConsumer;
  readonly query: Query;
  #host: Readonly<Record<string, unknown>> | undefined;

  constructor(surface: Surface, context: SnapshotContext = {}) {
    const { consumer, scope, includeUnavailable, budget } = context;
    this.#surface = surface;
    this.consumer = readConsumer(consumer);
    this.query = {
      scope: scope && Array.from(scope, String),
      includeUnavailable: includeUnavailable !== false,
      maxComponents: readCount(budget?.maxComponents),
      maxBytes: readCount(budget?.maxBytes),
    };
  }

  /** What the host's context is, asked for once. */
  get host(): Readonly<Record<string, unknown>> {
    return (this.#host ??= this.#surface.readContext());
  }

  /** The context of a capability's policies. */
  context(capability: MountedCapability) {
    const { environment } = this.#surface.options;
    const now = (): number => this.#surface.clock.now();
    return Object.freeze(capability.context(this.consumer, this.host, environment, now));
  }

  /** Finds out what the kernel wants to know about a capability. */
  readonly ask: AskAboutCapability = (registration, index, asksWhen, votes) => {
    const capability = this.#surface.mounted(registration)?.capabilities[index];
    if (capability === undefined) return { when: "holds", votes: [] };
    return {
      when: asksWhen ? readWhen(capability, this.#surface.report) : "holds",
      votes: votes === 0 ? [] : readVotes(capability.chain.voters, this.context(capability)),
    };
  };
}

/** Takes a snapshot. */
export function takeSnapshot(surface: Surface, context?: SnapshotContext): AgentSurfaceSnapshot {
  const look = new Look(surface, context);
  const capturedAt = surface.clock.now();
  const route = readRoute(surface);
  return surface.look((kernel, now) => {
    const composition = kernel.snapshot(now, look.query, look.ask);
    return composition === "disposed" ? composition : show(surface, composition, capturedAt, route);
  }, "snapshot");
}

function show(
  surface: Surface,
  composition: Composition,
  capturedAt: Millis,
  route: AgentRouteInfo | undefined,
): AgentSurfaceSnapshot {
  return Object.freeze({
    surfaceId: surface.id,
    surfaceVersion: String(composition.surfaceVersion),
    capturedAt: new Date(capturedAt).toISOString(),
    ...(route !== undefined && { route }),
    components: Object.freeze(showComponents(surface, composition)) as AgentComponentDescriptor[],
    procedures: Object.freeze(showProcedures(surface, composition)) as AgentProcedureDescriptor[],
    ...(composition.droppedComponents > 0 && {
      truncated: Object.freeze({ droppedComponents: composition.droppedComponents }),
    }),
  });
}

function showComponents(surface: Surface, { components, reasons }: Composition): AgentComponentDescriptor[] {
  const shown: AgentComponentDescriptor[] = [];
  for (let at = 0; at < components.length;) {
    const mounted = surface.mounted(components[at] ?? -1);
    const end = at + 2 + 2 * (components[at + 1] ?? 0);
    const descriptor =
      mounted && surface.showcase.of(mounted)?.show(components.subarray(at + 2, end), reasons);
    if (descriptor !== undefined) shown.push(descriptor);
    at = end;
  }
  return shown;
}

function showProcedures(surface: Surface, { procedures, reasons }: Composition): AgentProcedureDescriptor[] {
  const shown: AgentProcedureDescriptor[] = [];
  for (let at = 0; at < procedures.length; at += 3) {
    const mounted = surface.mounted(procedures[at] ?? -1);
    const index = procedures[at + 1] ?? -1;
    const capability = mounted?.capabilities[index];
    if (mounted === undefined || capability === undefined) continue;
    const descriptor = surface.showcase
      .of(mounted)
      ?.capabilities[index]?.show(reasons[(procedures[at + 2] ?? 0) - 1], readNote(capability));
    if (descriptor !== undefined) shown.push(descriptor as AgentProcedureDescriptor);
  }
  return shown;
}

/** What a procedure's binding says of the present situation, if it says something. */
export function readNote({ described }: MountedCapability): string | undefined {
  try {
    const note: unknown = described.binding?.config.describe?.();
    return typeof note === "string" && note !== "" ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Where the app is, as its router says. */
export function readRoute(surface: Surface): AgentRouteInfo | undefined {
  try {
    const route = surface.options.route?.();
    return route === undefined ? undefined : deepFreeze(copyJson(route) as unknown as AgentRouteInfo);
  } catch (error) {
    surface.report.warn("route() failed", error);
    return undefined;
  }
}

function readCount(count: number | undefined): number | undefined {
  return count === undefined ? undefined : wholeNumber(count);
}
