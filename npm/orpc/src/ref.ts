import type { AgentProcedureEffect, JsonSchema, ProcedureCallInfo } from "@agent-surface/core";
import type { OrpcAgentTool } from "./exposure.js";

/** A procedure of the backend that components may refer to. Only a bridge makes one. */
export interface AgentProcedureRef<TIn extends object, TOut> {
  /** `domain:` and the path. */
  readonly id: string;
  /** Where it stands in the router: `devices.disable`. */
  readonly path: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: AgentProcedureEffect;
  readonly requiresApproval?: boolean;
  /** Calls the procedure for the app itself. What the client throws is thrown as it is: it is for no agent. */
  call(input: TIn, ctx: ProcedureCallInfo): Promise<TOut>;
  /** Carries the types; there is nothing at runtime. */
  readonly __types?: { input: TIn; output: TOut };
}

/** The references of a client: its own shape, with a reference in the place of each procedure. */
export type RefsFor<TClient> = {
  [K in keyof TClient]: TClient[K] extends (input: infer I, ...rest: never[]) => Promise<infer O>
    ? AgentProcedureRef<I & object, O>
    : RefsFor<TClient[K]>;
};

/** Every reference that a bridge has made: a copy of one, or what only looks like one, is none. */
const refs = /* @__PURE__ */ new WeakSet<object>();

/** Makes the reference to a procedure. */
export function makeRef(
  path: string,
  { description, inputSchema, outputSchema, effect, requiresApproval }: OrpcAgentTool,
  call: (input: object, info: ProcedureCallInfo) => Promise<unknown>,
): AgentProcedureRef<object, unknown> {
  const ref = Object.freeze({
    id: `domain:${path}`,
    path,
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    effect,
    ...(requiresApproval !== undefined && { requiresApproval }),
    call,
  });
  refs.add(ref);
  return ref;
}

/** Whether a bridge has made this reference, so that its manifest has the procedure. */
export function isBridgeRef(value: unknown): value is AgentProcedureRef<object, unknown> {
  return typeof value === "object" && value !== null && refs.has(value);
}
