import type {
  AgentConcurrency,
  AgentPolicy,
  AgentProcedureBinding,
  AgentProcedureBindingRuntimeConfig,
  JsonValue,
} from "@agent-surface/core";
import { reduceInputSchema } from "@agent-surface/core/reduce";
import type { AgentProcedureRef } from "./ref.js";

/** What a component adds to a procedure that it refers to. */
export interface AgentProcedureBindingConfig<TIn extends object, TBound extends Partial<TIn>> {
  /** Whether it can be used now; asked for every catalogue and every invocation. */
  when?: () => boolean;
  unavailableReason?: string | (() => string);
  /**
   * The part of the input that the component knows. Asked for at the moment of the call, and always for the same
   * fields: with others, or if it throws, the call is answered `PRECONDITION_FAILED`.
   */
  bind?: () => TBound;
  /** Bound fields that an agent may set all the same. It may set none of the others. */
  overridableFields?: ReadonlyArray<keyof TBound & string>;
  /** Asks for more consent than the contract does, never for less. */
  confirmation?: "optional" | "required";
  policies?: AgentPolicy[];
  /** A sentence about the present situation: the `contextualNote` beside the description. */
  describe?: () => string;
  meta?: Record<string, JsonValue>;
  /** Which other invocations it waits for. Default: those of the same procedure and registration. */
  concurrency?: AgentConcurrency;
}

/**
 * Binds a procedure to a component: what `AgentComponentDefinition.procedures` takes. There is no place for a handler
 * in it, because the backend has it.
 */
export function bindAgentProcedure<TIn extends object, TOut, TBound extends Partial<TIn> = Partial<TIn>>(
  ref: AgentProcedureRef<TIn, TOut>,
  config: AgentProcedureBindingConfig<TIn, TBound> = {},
): AgentProcedureBinding<TIn, TOut> {
  const { id, path, description, inputSchema, outputSchema, effect, requiresApproval } = ref;
  const { overridableFields, confirmation, policies, meta, concurrency } = config;
  const overridable: readonly string[] = overridableFields ?? [];
  const boundKeys = readBoundKeys(config.bind) ?? reportUnknown(id);
  return {
    kind: "procedure-binding",
    ref: {
      id,
      path,
      description,
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      effect,
      ...(requiresApproval !== undefined && { requiresApproval }),
    },
    config: {
      ...runtimeOf(config, boundKeys),
      ...(overridableFields !== undefined && { overridableFields }),
      ...(confirmation !== undefined && { confirmation }),
      ...(policies !== undefined && { policies }),
      ...(meta !== undefined && { meta }),
      ...(concurrency !== undefined && { concurrency }),
    },
    boundKeys,
    lockedKeys: boundKeys.filter((key) => !overridable.includes(key)),
    reducedInputSchema: reduceInputSchema(inputSchema, boundKeys, overridable),
  };
}

/** The fields that `bind` supplies; `undefined` while it throws. */
export function readBoundKeys(bind: (() => object) | undefined): string[] | undefined {
  try {
    return Object.keys(bind?.() ?? {});
  } catch {
    return undefined;
  }
}

function reportUnknown(id: string): never[] {
  // oxlint-disable-next-line no-console -- the console is where developers look
  console.warn(
    `[agent-surface] bind() of ${id} threw, so that it is not known which fields it binds. Calls fail until it is ` +
      "bound again: let bind() return the same fields at all times, and `when` say that there is nothing to bind.",
  );
  return [];
}

/** The functions of a binding, which registries look up when they need them. */
export function runtimeOf<TIn extends object, TBound extends Partial<TIn>>(
  { when, unavailableReason, bind, describe }: AgentProcedureBindingConfig<TIn, TBound>,
  boundKeys: readonly string[],
): Pick<AgentProcedureBindingRuntimeConfig, "when" | "unavailableReason" | "bind" | "describe"> {
  return {
    ...(when !== undefined && { when }),
    ...(unavailableReason !== undefined && { unavailableReason }),
    ...(bind !== undefined && { bind: () => holdTo(boundKeys, bind()) }),
    ...(describe !== undefined && { describe }),
  };
}

/** What `bind` returned, if these are fields that are bound: others were not taken away from the agent. */
function holdTo(boundKeys: readonly string[], bound: object | undefined): Record<string, JsonValue> {
  const supplied = (bound ?? {}) as Record<string, JsonValue>;
  const stray = Object.keys(supplied).find((key) => !boundKeys.includes(key));
  if (stray === undefined) return supplied;
  throw new Error(`bind() supplies "${stray}", which it did not when it was registered`);
}
