import type { AgentCapabilityErrorCode } from "./errors.js";
import type { Unsubscribe } from "./types.js";

/**
 * What listeners of a registry are told: after it happened, in the order in which it happened. An invocation is told
 * to have started before it is told to have settled, a confirmation to be requested before it is resolved.
 */
export type AgentSurfaceEvent =
  /** Told once per turn of the event loop, however often the surface changed in it. */
  | { type: "surface-changed"; surfaceVersion: string }
  | { type: "component-registered"; registrationId: string; componentType: string; instanceId: string }
  | { type: "component-unregistered"; registrationId: string; componentType: string; instanceId: string }
  | { type: "component-rejected"; componentType: string; instanceId: string; reason: "duplicate" | "guard" }
  | { type: "availability-changed"; registrationId: string; capabilityId: string; available: boolean }
  | { type: "collision-suspected"; viewCapabilityId: string; domainProcedureId: string }
  | { type: "invocation-started"; invocationId: string; capabilityId: string; consumerId: string }
  | {
      type: "invocation-settled";
      invocationId: string;
      capabilityId: string;
      status: "ok" | "error";
      code?: AgentCapabilityErrorCode;
      durationMs: number;
    }
  | { type: "confirmation-requested"; confirmationId: string; capabilityId: string; expiresAt: string }
  | { type: "confirmation-resolved"; confirmationId: string; outcome: "approved" | "denied" | "expired" };

/**
 * Functions that are told something. One that throws is reported and keeps nobody else from being told; one that is
 * added or removed while something is told counts from the next time on.
 */
export class Listeners<T> {
  readonly #report: (error: unknown) => void;
  // Each subscription is an object of its own, so that one function may subscribe twice.
  #subscriptions: readonly { readonly listener: (value: T) => void }[] = [];

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  get isEmpty(): boolean {
    return this.#subscriptions.length === 0;
  }

  add(listener: (value: T) => void): Unsubscribe {
    const subscription = { listener };
    this.#subscriptions = [...this.#subscriptions, subscription];
    return () => {
      this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
    };
  }

  tell(value: T): void {
    for (const { listener } of this.#subscriptions) {
      try {
        listener(value);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  clear(): void {
    this.#subscriptions = [];
  }
}
