import { deepFreeze } from "../json.js";
import type { Description, KernelRegistry } from "../kernel/registry.js";
import type {
  AgentActionDescriptor,
  AgentComponentDescriptor,
  AgentObservationDescriptor,
  AgentProcedureDescriptor,
} from "../snapshot.js";
import type { JsonSchema } from "../types.js";
import type { Mounted } from "./mounted.js";

type Descriptor = AgentObservationDescriptor | AgentActionDescriptor | AgentProcedureDescriptor;

/**
 * How a registration is shown. What of that never changes is made and frozen once, so that one snapshot after another
 * has the very same objects in it; only what changes with the state is made anew.
 */
export class ShownComponent {
  readonly capabilities: readonly ShownCapability[];
  readonly #component: Description["component"];
  /** How many capabilities have a place in the component: all but the procedures. */
  readonly #size: number;
  #whole: AgentComponentDescriptor | undefined;

  constructor({ component, capabilities }: Description) {
    this.#component = deepFreeze(component);
    this.capabilities = capabilities.map((capability) => new ShownCapability(capability));
    this.#size = capabilities.filter(({ kind }) => kind !== "procedure").length;
  }

  /** The component with these of its capabilities: pairs of an index and a reason, as a composition has them. */
  show(pairs: Int32Array, reasons: readonly string[]): AgentComponentDescriptor {
    if (pairs.length !== 2 * this.#size || !pairs.every((value, at) => at % 2 === 0 || value === 0)) {
      return this.#assemble(pairs, reasons);
    }
    return (this.#whole ??= this.#assemble(pairs, reasons));
  }

  #assemble(pairs: Int32Array, reasons: readonly string[]): AgentComponentDescriptor {
    const observations: AgentObservationDescriptor[] = [];
    const actions: AgentActionDescriptor[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const shown = this.capabilities[pairs[at] ?? -1];
      const descriptor = shown?.show(reasons[(pairs[at + 1] ?? 0) - 1], undefined);
      if (shown?.kind === "observation") observations.push(descriptor as AgentObservationDescriptor);
      else if (shown?.kind === "action") actions.push(descriptor as AgentActionDescriptor);
    }
    Object.freeze(observations);
    Object.freeze(actions);
    return Object.freeze({ ...this.#component, observations, actions });
  }
}

/** How a capability is shown. */
export class ShownCapability {
  readonly kind: "observation" | "action" | "procedure";
  /** What a tool takes. */
  readonly toolSchema: JsonSchema;
  readonly #descriptor: Description["capabilities"][number]["descriptor"];
  #last: { reason: string | undefined; note: string | undefined; descriptor: Descriptor } | undefined;

  constructor({ kind, descriptor, toolSchema }: Description["capabilities"][number]) {
    this.kind = kind;
    this.toolSchema = deepFreeze(toolSchema);
    this.#descriptor = deepFreeze(descriptor);
  }

  /** The capability as it is when `reason` says why it can't be used; if nothing says so, it can be. */
  show(reason: string | undefined, note: string | undefined): Descriptor {
    const last = this.#last;
    if (last !== undefined && last.reason === reason && last.note === note) return last.descriptor;
    const descriptor = Object.freeze({
      ...this.#descriptor,
      available: reason === undefined,
      ...(reason !== undefined && { unavailableReason: reason }),
      ...(note !== undefined && { contextualNote: note }),
    }) as unknown as Descriptor;
    this.#last = { reason, note, descriptor };
    return descriptor;
  }
}

/** How each registration is shown, made when it is first looked at. */
export class Showcase {
  readonly #kernel: KernelRegistry;
  readonly #shown = new WeakMap<Mounted, ShownComponent>();

  constructor(kernel: KernelRegistry) {
    this.#kernel = kernel;
  }

  /** `undefined` where the registration has ended. */
  of(mounted: Mounted): ShownComponent | undefined {
    const known = this.#shown.get(mounted);
    if (known !== undefined) return known;
    const description = this.#kernel.describe(mounted.key);
    if (description === undefined) return undefined;
    const shown = new ShownComponent(description);
    this.#shown.set(mounted, shown);
    return shown;
  }
}
