import { recordTo, type AuditEvent, type AuditPayload, type AuditSink } from "../audit.js";
import type { AgentComponentDefinition, AgentProcedureExecutor } from "../definition.js";
import { AgentSurfaceDefinitionError } from "../errors.js";
import { Listeners, type AgentSurfaceEvent } from "../events.js";
import type { AgentInvocation, AgentInvocationResult, InvokeOptions } from "../invocation.js";
import { deepFreeze } from "../json.js";
import type { Output, Record as AuditOutput, Unwind, Warning } from "../kernel/output.js";
import type { KernelRegistry } from "../kernel/registry.js";
import {
  Do,
  type PendingConfirmation,
  type ConfirmationState,
  type InvocationKey,
  type Millis,
  type RegistrationKey,
} from "../kernel/words.js";
import type { AgentEnvironment, AgentRouteInfo, Unsubscribe } from "../types.js";
import { Admissions } from "./admissions.js";
import { Answers } from "./answers.js";
import { answers, Call } from "./call.js";
import { Clock } from "./clock.js";
import { describe } from "./describe.js";
import type { Chain } from "./guards.js";
import { Mounted } from "./mounted.js";
import { readRequest } from "./request.js";
import { Report } from "./report.js";
import { Showcase } from "./shown.js";

/** What an app says of its surface, with what it leaves out filled in. */
export interface SurfaceOptions {
  readonly environment: AgentEnvironment;
  readonly context: (() => Record<string, unknown>) | undefined;
  readonly chain: Chain;
  readonly audit: AuditSink | undefined;
  readonly redact: ((payload: AuditPayload, event: Readonly<AuditEvent>) => AuditPayload) | undefined;
  readonly onRegister:
    | ((candidate: { definition: AgentComponentDefinition; stack?: string }) => "accept" | "reject")
    | undefined;
  readonly route: (() => AgentRouteInfo | undefined) | undefined;
  readonly now: (() => number) | undefined;
}

/**
 * A surface: the kernel decides, and this does what only JavaScript can. It has one loop, {@link drain}, which does
 * what the kernel asks for, in its order. Whatever calls in from within (a handler, a policy, a listener) has its
 * decision at once, and what follows from it is done after what was decided before.
 */
export class Surface {
  readonly id: string;
  readonly report: Report;
  readonly events: Listeners<AgentSurfaceEvent>;
  readonly clock: Clock;
  readonly kernel: KernelRegistry;
  readonly options: SurfaceOptions;
  readonly showcase: Showcase;
  executor: AgentProcedureExecutor | undefined;

  readonly #answers: Answers;
  readonly #admissions: Admissions;
  readonly #mounted = new Map<RegistrationKey, Mounted>();
  /** The registrations by type and instance. */
  readonly #places = new Map<string, RegistrationKey>();
  readonly #calls = new Map<InvocationKey, Call>();
  #isDraining = false;
  #looks = 0;
  #failure: Error | undefined;
  #isDisposed = false;
  #isClosed = false;
  #lastVersion = 0;
  #lastId = 0;

  /** @param open opens the kernel's side; the function it is given is to be called should the kernel fail */
  constructor(options: SurfaceOptions, open: (onFailure: (error: Error) => void) => KernelRegistry) {
    this.options = options;
    this.report = new Report(options.environment);
    this.events = new Listeners((error) => this.report.error("an event listener threw", error));
    this.clock = new Clock(options.now, (now) => this.#endTime(now));
    this.kernel = open((error) => this.#fail(error));
    this.id = this.kernel.surfaceId;
    this.showcase = new Showcase(this.kernel);
    this.#admissions = new Admissions(this.kernel);
    this.#answers = new Answers(this);
    this.heed();
  }

  /** The surface's version, also after its end. */
  get version(): number {
    if (!this.#isClosed) this.#lastVersion = this.kernel.version;
    return this.#lastVersion;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** @throws Error where the surface was disposed (who still uses it has a mistake in its life cycle), or has failed */
  assertOpen(method: string): void {
    if (this.#isDisposed) throw this.#closed(method);
  }

  #closed(method: string): Error {
    return this.#failure ?? new Error(`${method}() was called on a registry that was disposed`);
  }

  /** Tells the kernel who is there to be told something, so that it says nothing to nobody. */
  heed(): void {
    if (!this.#isClosed) this.kernel.listen(!this.events.isEmpty, this.options.audit !== undefined);
  }

  subscribe(listener: (event: AgentSurfaceEvent) => void): Unsubscribe {
    if (this.#isDisposed) return () => undefined;
    const unsubscribe = this.events.add(listener);
    this.heed();
    return () => {
      unsubscribe();
      this.heed();
    };
  }

  // Components.

  /**
   * Registers a component.
   *
   * @returns the registration, or the id that a rejected one had
   * @throws AgentSurfaceDefinitionError for what the app's code has to change
   */
  register(definition: AgentComponentDefinition): Mounted | { readonly rejectedId: string } {
    this.assertOpen("register");
    const described = describe(definition);
    // Reading a definition may have closed the surface.
    this.assertOpen("register");
    const component = this.#admissions.admit(described.component);
    // What the guard does, or a clock, may close the surface.
    const isAccepted = this.#isAccepted(definition);
    const mount = isAccepted ? described.mount : { ...described.mount, accepted: false };
    const now = this.clock.now();
    this.assertOpen("register");
    const registered = this.kernel.register(now, component, mount);
    if (registered === "disposed") throw this.#closed("register");
    if ("code" in registered) {
      this.drain();
      throw new AgentSurfaceDefinitionError(registered.code, registered.message);
    }
    const { registration, registrationId } = registered;
    if (registration === undefined) {
      this.drain();
      return { rejectedId: registrationId };
    }
    const mounted = new Mounted(registration, registrationId, definition, described, this.options.chain);
    this.#replace(mounted);
    this.drain();
    return mounted;
  }

  /** Puts a registration where the kernel has put it; the one that stood there is gone. */
  #replace(mounted: Mounted): void {
    const place = placeOf(mounted);
    const standing = this.#places.get(place);
    if (standing !== undefined) this.#mounted.delete(standing);
    this.#places.set(place, mounted.key);
    this.#mounted.set(mounted.key, mounted);
  }

  /** The registration, as long as it lives. */
  mounted(registration: RegistrationKey): Mounted | undefined {
    return this.#mounted.get(registration);
  }

  /** Whether a registration lives. */
  isMounted(mounted: Mounted): boolean {
    return this.#mounted.get(mounted.key) === mounted;
  }

  unregister(mounted: Mounted): void {
    if (!this.#mounted.delete(mounted.key)) return;
    const place = placeOf(mounted);
    if (this.#places.get(place) === mounted.key) this.#places.delete(place);
    this.act((kernel, now) => kernel.unregister(now, mounted.key));
  }

  // Invocations.

  invoke(request: AgentInvocation, options: InvokeOptions = {}): Promise<AgentInvocationResult> {
    try {
      return this.#invoke(request, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #invoke(request: AgentInvocation, options: InvokeOptions): Promise<AgentInvocationResult> {
    const { input, signal } = readRequest(request, options);
    const now = this.clock.now();
    this.assertOpen("invoke");
    const call = new Call(input.consumer, input.capabilityId, input.input !== undefined, () =>
      this.readContext(),
    );
    if (signal !== undefined) call.listenTo(signal, () => this.#cancel(call));
    const invoked = this.kernel.invoke(now, input);
    if (invoked === "disposed") throw this.#closed("invoke");
    let { promise } = call;
    if (invoked.status === "started") {
      call.begin(invoked.invocation, invoked.invocationId);
      this.#calls.set(call.key, call);
    } else {
      call.close();
      const joined = invoked.status === "joined" ? this.#calls.get(invoked.invocation)?.promise : undefined;
      promise = joined ?? Promise.resolve(invoked.status === "settled" ? invoked.result : call.promise);
    }
    this.drain();
    return promise;
  }

  /** What an agent would have been answered where {@link invoke} rejected to tell a developer of a defect. */
  answerBehind(error: unknown): AgentInvocationResult | undefined {
    return typeof error === "object" && error !== null ? answers.get(error) : undefined;
  }

  /** An id for what is answered without an invocation. No two of them are alike. */
  nextId(): string {
    this.#lastId += 1;
    return `inv_${this.id.slice(4)}${this.#lastId}`;
  }

  #cancel(call: Call): void {
    if (!call.isSettled && !call.hasReturned) this.act((kernel, now) => kernel.cancel(now, call.key));
  }

  pendingConfirmations(): PendingConfirmation[] {
    return this.#isClosed ? [] : this.kernel.pendingConfirmations();
  }

  confirmationState(confirmationId: string): ConfirmationState | undefined {
    return this.#isClosed ? undefined : this.kernel.confirmationState(confirmationId);
  }

  /** Says who executes procedures, if anybody does. */
  setExecutor(executor: AgentProcedureExecutor | undefined): void {
    if (this.#isDisposed) return;
    this.executor = executor;
    this.kernel.setProcedures(executor && Array.from(executor.paths ?? [], String));
  }

  /** The host's context. One that throws is empty. */
  readContext(): Record<string, unknown> {
    try {
      return this.options.context?.() ?? {};
    } catch (error) {
      this.report.warn("context() threw", error);
      return {};
    }
  }

  // The loop.

  /** Does what the kernel asks for, until it asks for nothing more. */
  drain(): void {
    if (this.#isDraining || this.#isClosed) return;
    this.#isDraining = true;
    try {
      for (let output = this.kernel.next(); output !== undefined; output = this.kernel.next()) {
        this.#perform(output);
      }
      this.clock.wake(this.kernel.deadline);
    } catch (error) {
      // Nothing that is done throws, so that it was the kernel.
      this.#fail(error as Error);
    } finally {
      this.#isDraining = false;
    }
    this.#closeIfDone();
  }

  /** Looks at the surface. What is asked meanwhile may call in, and even close it: that waits until the look is over. */
  look<T>(at: (kernel: KernelRegistry, now: Millis) => T | "disposed", method: string): T {
    const now = this.clock.now();
    this.assertOpen(method);
    this.#looks += 1;
    try {
      const seen = at(this.kernel, now);
      // What was closed meanwhile has nothing to be seen.
      if (seen === "disposed" || this.#isDisposed) throw this.#closed(method);
      return seen;
    } finally {
      this.#looks -= 1;
      this.#closeIfDone();
    }
  }

  /** Calls the kernel with the time, and does what follows. After the surface's end it does nothing. */
  act(command: (kernel: KernelRegistry, now: Millis) => void): void {
    const now = this.clock.now();
    if (this.#isClosed) return;
    try {
      command(this.kernel, now);
    } catch (error) {
      this.#fail(error as Error);
    }
    this.drain();
  }

  dispose(): void {
    const now = this.clock.now();
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#lastVersion = this.kernel.version;
    this.kernel.dispose(now);
    this.drain();
  }

  #perform(output: Output): void {
    switch (output[0]) {
      case Do.Ask: {
        const call = this.#calls.get(output[1]);
        if (call !== undefined) this.#answers.answer(call, output);
        return;
      }
      case Do.Abort:
        return this.#calls.get(output[1])?.abort();
      case Do.Unwind:
        return this.#unwind(output);
      case Do.Settle: {
        const [, key, result] = output;
        const call = this.#calls.get(key);
        this.#calls.delete(key);
        return call?.settle(result);
      }
      case Do.AwaitTurn:
        return queueMicrotask(() => this.act((kernel) => kernel.endTurn()));
      case Do.Emit:
        return this.#emit(output[1]);
      case Do.Record:
        return this.#record(output);
      case Do.Warn:
        return this.#warn(output[1]);
    }
  }

  #unwind([, key, outcome]: Unwind): void {
    const call = this.#calls.get(key);
    if (call === undefined) return;
    const { version } = this.kernel;
    this.#answers.unwind(
      call,
      deepFreeze({
        ...outcome,
        invocationId: call.id,
        capabilityId: call.capabilityId,
        surfaceVersion: String(version),
        ...(version !== call.version && { surfaceChanged: true }),
      }),
    );
  }

  #emit(event: AgentSurfaceEvent): void {
    this.events.tell(Object.freeze(event));
  }

  #record([, record, payload]: AuditOutput): void {
    const event: AuditEvent = record;
    if (payload !== undefined) {
      const redacted = this.#redact(payload, event);
      if (redacted !== undefined) event.payload = redacted;
    }
    recordTo(this.options.audit, event, (error) => this.report.error("the audit sink threw", error));
  }

  /** A payload that can't be redacted is not told. */
  #redact(payload: AuditPayload, event: AuditEvent): AuditPayload | undefined {
    if (this.options.redact === undefined) return payload;
    try {
      return this.options.redact(payload, event);
    } catch (error) {
      this.report.error("redact() threw", error);
      return undefined;
    }
  }

  #warn(warning: Warning): void {
    switch (warning.type) {
      case "update-after-end":
        return this.report.warn(`the registration of "${warning.componentType}" was used after its end`);
      case "unknown-capability":
        return this.report.warn(`"${warning.componentType}" has no "${warning.name}" to update`);
      case "duplicate":
        return this.report.error(
          `"${warning.componentType}" (${warning.instanceId}) was registered twice; the first one stays`,
        );
      case "bound-input-invalid":
        return this.report.warn(
          `what the view supplies does not satisfy the schema of ${warning.capabilityId}`,
        );
      case "output-invalid":
        return this.report.error(`what ${warning.capabilityId} returned does not satisfy its schema`);
    }
  }

  #isAccepted(definition: AgentComponentDefinition): boolean {
    const { onRegister, environment } = this.options;
    if (onRegister === undefined) return true;
    try {
      const stack = environment === "development" ? new Error().stack : undefined;
      const accepted = onRegister({ definition, ...(stack !== undefined && { stack }) }) === "accept";
      if (!accepted) this.report.error(`the guard rejected "${definition.type}"`);
      return accepted;
    } catch (error) {
      this.report.error(`the guard threw over "${definition.type}", which counts as a rejection`, error);
      return false;
    }
  }

  #endTime(now: Millis): void {
    this.act((kernel) => kernel.endTime(now));
  }

  #fail(error: Error): void {
    const calls = [...this.#calls.values()];
    this.#failure = error;
    this.#isDisposed = true;
    this.#isClosed = true;
    this.#release();
    for (const call of calls) call.fail(error);
  }

  /** Gives the kernel's side back, once nothing is done with it any more. */
  #closeIfDone(): void {
    if (!this.#isDisposed || this.#isClosed || this.#isDraining || this.#looks > 0) return;
    this.#isClosed = true;
    this.kernel.free();
    this.#release();
  }

  #release(): void {
    this.clock.wake(Number.POSITIVE_INFINITY);
    this.events.clear();
    this.#calls.clear();
    this.#mounted.clear();
    this.#places.clear();
  }
}

function placeOf({ type, instanceId }: Mounted): string {
  return `${type} ${instanceId}`;
}
