import type { AgentInvocationResult } from "../invocation.js";
import { kernel } from "../kernel/index.js";
import type { Envelope, Target } from "../kernel/registry.js";
import type { MetaTool } from "../kernel/runtime.js";
import { Look, takeSnapshot } from "../surface/look.js";
import { writeInput } from "../surface/request.js";
import type { AgentSurfaceSnapshot } from "../snapshot.js";
import type { JsonValue } from "../types.js";
import { CLOSED, type Caller } from "./caller.js";
import type { AgentTool, AgentToolCall, AgentToolsetOptions } from "./types.js";

/** What a call of a meta tool comes with. */
interface MetaCall {
  readonly envelope: Envelope;
  readonly toolCallId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The three tools of meta mode: the same bytes for every surface, at every moment. */
export function metaTools(caller: Caller, options: AgentToolsetOptions): AgentTool[] {
  const verbs = new Verbs(caller, options);
  return kernel()
    .metaTools()
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      state: { available: true },
      execute: (input, call = {}) => verbs.execute(tool, input, call),
    }));
}

/** What the three tools do. */
class Verbs {
  readonly #caller: Caller;
  readonly #scope: string[];
  readonly #budget: AgentToolsetOptions["budget"];

  constructor(caller: Caller, { scope, budget }: AgentToolsetOptions) {
    this.#caller = caller;
    this.#scope = Array.from(scope ?? [], String);
    this.#budget = budget;
  }

  async execute(
    tool: MetaTool,
    input: JsonValue,
    { toolCallId, signal }: AgentToolCall,
  ): Promise<AgentInvocationResult> {
    const { surface } = this.#caller;
    const { capabilityId } = tool;
    if (surface.isDisposed) return this.#caller.refuse(CLOSED, identify(capabilityId, toolCallId));
    const read = surface.kernel.readEnvelope(tool.name, writeInput(input) ?? "null");
    if ("error" in read) {
      return this.#caller.refuse(read.error, identify(meantCapability(input) ?? capabilityId, toolCallId));
    }
    const call: MetaCall = { envelope: read.envelope, toolCallId, signal };
    switch (tool.name) {
      case "surface_discover":
        return this.#discover(tool, call);
      case "surface_read":
        return this.#caller.call(this.#request(call, this.#find(call.envelope)), signal);
      case "surface_act":
        return this.#act(call);
    }
  }

  #discover({ capabilityId }: MetaTool, { envelope, toolCallId }: MetaCall): AgentInvocationResult {
    const { surface, consumer } = this.#caller;
    const { scope, rejected } = surface.kernel.narrow(this.#scope, envelope.scope);
    const snapshot = takeSnapshot(surface, {
      consumer,
      scope: scope ?? [],
      ...(this.#budget !== undefined && { budget: this.#budget }),
    });
    const found: AgentSurfaceSnapshot = scope === undefined ? withoutContents(snapshot) : snapshot;
    const output = rejected.length > 0 ? { ...found, scopeRejected: { prefixes: rejected } } : found;
    return {
      status: "ok",
      invocationId: toolCallId ?? surface.nextId(),
      capabilityId,
      output: JSON.parse(JSON.stringify(output)) as JsonValue,
      surfaceVersion: snapshot.surfaceVersion,
    };
  }

  #act(call: MetaCall): Promise<AgentInvocationResult> {
    const { surface } = this.#caller;
    const target = this.#find(call.envelope);
    let { input } = call.envelope;
    const repaired =
      target && input !== undefined ? surface.kernel.repairInput(target, JSON.stringify(input)) : undefined;
    if (repaired !== undefined) {
      input = JSON.parse(repaired) as JsonValue;
      surface.report.warn(
        `the input of ${call.envelope.capabilityId} came as a JSON-encoded string: the provider does not keep to the tool's schema`,
      );
    }
    const { confirmationId, invocationId } = call.envelope;
    const request = {
      ...this.#request(call, target),
      ...(invocationId !== undefined && { invocationId }),
      ...(confirmationId !== undefined && { confirmationId }),
      ...(input !== undefined && { input }),
    };
    return this.#caller.call(request, call.signal);
  }

  /** What is meant, if the surface has exactly one of it. Otherwise the invocation itself tells why not. */
  #find({ capabilityId, instanceId }: Envelope): Target | undefined {
    const { surface, consumer } = this.#caller;
    const look = new Look(surface, { consumer, scope: this.#scope });
    return surface.look(
      (kernel, now) => kernel.find(now, look.query, look.ask, capabilityId, instanceId),
      "invoke",
    );
  }

  #request({ envelope, toolCallId }: MetaCall, target: Target | undefined) {
    const { surface } = this.#caller;
    const { capabilityId, instanceId, surfaceVersion = String(surface.version) } = envelope;
    const registrationId = target && surface.mounted(target.registration)?.id;
    return {
      capabilityId,
      surfaceVersion,
      ...(toolCallId !== undefined && { invocationId: toolCallId }),
      ...(instanceId !== undefined && { instanceId }),
      ...(registrationId !== undefined && { registrationId }),
    };
  }
}

/** What a scope that was refused as a whole gives: the surface, with nothing in it. */
function withoutContents(snapshot: AgentSurfaceSnapshot): AgentSurfaceSnapshot {
  const { surfaceId, surfaceVersion, capturedAt, route } = snapshot;
  const empty = { surfaceId, surfaceVersion, capturedAt, components: [], procedures: [] };
  return route === undefined ? empty : { ...empty, route };
}

function identify(capabilityId: string, invocationId: string | undefined) {
  return { capabilityId, ...(invocationId !== undefined && { invocationId }) };
}

/** The capability that a malformed call meant all the same, if it says so. */
function meantCapability(input: JsonValue): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const { capabilityId } = input;
  return typeof capabilityId === "string" && capabilityId !== "" ? capabilityId : undefined;
}
