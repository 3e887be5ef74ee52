import {
  action,
  createAgentSurfaceRegistry,
  emptyObjectSchema,
  fromJsonSchema,
  memoryAuditSink,
  observation,
  type AgentActionDefinition,
  type AgentComponentDefinition,
  type AgentInvocationResult,
  type AgentObservationDefinition,
  type AgentProcedureBinding,
  type AgentSurfaceEvent,
  type AgentSurfaceRegistry,
  type JsonValue,
  type RegistryOptions,
} from "@agent-surface/core";
import { prove } from "./prove.js";

/** A registry for these definitions, which are not registered yet. */
export function open(
  definitions: AgentComponentDefinition[],
  options: RegistryOptions = {},
): AgentSurfaceRegistry {
  return createAgentSurfaceRegistry({ environment: "test", authority: prove(...definitions), ...options });
}

/** A registry in which a component stands that has these capabilities. */
export function mount(
  capabilities: Pick<AgentComponentDefinition, "observations" | "actions"> &
    Partial<AgentComponentDefinition>,
  options: RegistryOptions = {},
) {
  const definition = screen(capabilities);
  const registry = open([definition], options);
  return { registry, definition, handle: registry.register(definition) };
}

/** A component. */
export function screen(members: Partial<AgentComponentDefinition> = {}): AgentComponentDefinition {
  return { type: "screen", description: "A screen", ...members };
}

/** An observation of a number. */
export function number(
  read: AgentObservationDefinition<number>["read"] = () => 1,
  members: Partial<AgentObservationDefinition<number>> = {},
): AgentObservationDefinition<number> {
  return observation({
    description: "A number",
    output: fromJsonSchema<number>({ type: "number" }),
    read,
    ...members,
  });
}

/** An action that takes nothing. */
export function button(
  // oxlint-disable-next-line typescript/no-explicit-any -- a handler may return what it must not
  execute: () => any = () => undefined,
  members: Partial<AgentActionDefinition<Record<string, never>>> = {},
): AgentActionDefinition<Record<string, never>> {
  return {
    description: "A button",
    input: emptyObjectSchema,
    effect: "local-state",
    execute,
    ...members,
  };
}

/** An action that takes any JSON and gives any. */
export function echo(
  execute: (input: JsonValue) => unknown = (input) => input,
  members: Partial<AgentActionDefinition<JsonValue, JsonValue>> = {},
): AgentActionDefinition<JsonValue, JsonValue> {
  return action<JsonValue, JsonValue>({
    description: "An echo",
    input: fromJsonSchema({}),
    output: fromJsonSchema({}),
    effect: "local-state",
    execute: execute as (input: JsonValue) => JsonValue,
    ...members,
  });
}

/** A procedure that takes `ids` from the view and a `reason` from the agent. */
export function procedure(
  effect: AgentProcedureBinding["ref"]["effect"],
  config: AgentProcedureBinding["config"] = { bind: () => ({ ids: ["d1"] }) },
): AgentProcedureBinding {
  const reason = { reason: { type: "string" } };
  const ids = { ids: { type: "array", items: { type: "string" }, minItems: 1 } };
  return {
    kind: "procedure-binding",
    ref: {
      id: "domain:devices.disable",
      path: "devices.disable",
      description: "Disable devices",
      inputSchema: {
        type: "object",
        properties: { ...ids, ...reason },
        required: ["ids"],
        additionalProperties: false,
      },
      effect,
    },
    config,
    boundKeys: ["ids"],
    lockedKeys: ["ids"],
    reducedInputSchema: { type: "object", properties: reason, additionalProperties: false },
  };
}

/** A registry in which a procedure is referred to; `calls` are what it was called with. */
export function mountProcedure(binding: AgentProcedureBinding, options: RegistryOptions = {}) {
  const definition = screen({ procedures: [binding] });
  const registry = open([definition], options);
  const calls: JsonValue[] = [];
  registry.setProcedureExecutor({
    execute: async ({ input }) => {
      calls.push(input);
      return null;
    },
  });
  return { registry, calls, definition, handle: registry.register(definition) };
}

/** A promise, and what it is settled by. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/** Everything that a registry tells from now on. */
export function record(registry: AgentSurfaceRegistry): AgentSurfaceEvent[] {
  const events: AgentSurfaceEvent[] = [];
  registry.subscribe((event) => events.push(event));
  return events;
}

/** The code of an error; of what went well, its output. */
export function codeOf(result: AgentInvocationResult): unknown {
  return result.status === "error" ? result.error.code : { output: result.output };
}

/** The confirmation that a result asks for. */
export function confirmationOf(result: AgentInvocationResult): string {
  const id = detailsOf(result)["confirmationId"];
  if (typeof id !== "string") throw new Error(`no confirmation: ${JSON.stringify(result)}`);
  return id;
}

/** What an error has to tell beyond its code. */
export function detailsOf(result: AgentInvocationResult): Record<string, JsonValue> {
  return (result.status === "error" && result.error.details) || {};
}

/** A registry's audit, and the options that lead it there. */
export function audited() {
  const sink = memoryAuditSink();
  return { audit: sink, records: () => sink.events() };
}

/** What has to be there. */
export function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it is not there");
  return value;
}
