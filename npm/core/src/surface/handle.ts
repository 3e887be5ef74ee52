import type { PatchInput } from "../kernel/input.js";
import type { AgentRegistrationHandle, RegistrationPatch } from "../registry.js";
import type { Mounted } from "./mounted.js";
import type { Surface } from "./surface.js";

/** What whoever registered a component holds of it. */
export class Handle implements AgentRegistrationHandle {
  readonly #surface: Surface;
  readonly #mounted: Mounted;

  constructor(surface: Surface, mounted: Mounted) {
    this.#surface = surface;
    this.#mounted = mounted;
  }

  get registrationId(): string {
    return this.#mounted.id;
  }

  get status(): "active" | "unregistered" {
    return this.#surface.isMounted(this.#mounted) ? "active" : "unregistered";
  }

  update(patch: RegistrationPatch): void {
    const { enabled } = patch;
    const input: PatchInput = {
      registration: this.#mounted.key,
      componentType: this.#mounted.type,
      enabled: enabled === undefined ? undefined : Boolean(enabled),
      availability: readAvailability(patch.availability),
    };
    this.#surface.act((kernel) => kernel.update(input));
  }

  invalidate(): void {
    this.#surface.act((kernel) => kernel.invalidate(this.#mounted.key));
  }

  unregister(): void {
    this.#surface.unregister(this.#mounted);
  }
}

/** What whoever registered a component holds where the component was rejected. */
export class RejectedHandle implements AgentRegistrationHandle {
  readonly registrationId: string;
  readonly status = "rejected";
  readonly #surface: Surface;

  constructor(surface: Surface, registrationId: string) {
    this.#surface = surface;
    this.registrationId = registrationId;
  }

  update(): void {
    this.#surface.report.warn("a registration was updated that had been rejected");
  }

  invalidate(): void {
    this.#surface.report.warn("a registration was invalidated that had been rejected");
  }

  unregister(): void {
    // There is nothing to end.
  }
}

/** What is pushed about capabilities, as it was when it was read. */
function readAvailability(availability: RegistrationPatch["availability"]): PatchInput["availability"] {
  if (availability === undefined) return undefined;
  const read = Object.entries(availability).map(([name, { available, reason }]) => {
    return [
      name,
      { available: Boolean(available), reason: reason === undefined ? undefined : String(reason) },
    ] as const;
  });
  return Object.fromEntries(read);
}
