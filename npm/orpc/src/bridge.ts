import {
  AgentSurfaceDefinitionError,
  type AgentProcedureExecutor,
  type JsonValue,
  type ProcedureCallInfo,
} from "@agent-surface/core";
import { findProcedure } from "./client.js";
import type { OrpcAgentManifest } from "./exposure.js";
import { explainFailure, missingProcedure, type MapServerError } from "./failure.js";
import { isBridgeRef, makeRef, type AgentProcedureRef, type RefsFor } from "./ref.js";

/** What a bridge connects. */
export interface OrpcAgentBridgeOptions<TClient extends object> {
  /** The app's own oRPC client, with the session of its user. */
  client: TClient;
  /** What the backend lets agents have. */
  manifest: OrpcAgentManifest;
  /** oRPC's client context for a call, from which a link makes headers for example. */
  callContext?: (ctx: ProcedureCallInfo) => Record<string, unknown>;
  /** Tells an agent more about an app's own errors than that the call failed. */
  mapServerError?: MapServerError;
}

/** A client, as far as agents may have it. */
export interface OrpcAgentBridge<TClient extends object> {
  /** References in the shape of the client. Only what the manifest has is there. */
  refs: RefsFor<TClient>;
  /** What `registry.setProcedureExecutor` takes. */
  executor: AgentProcedureExecutor;
  /** Whether the manifest has a procedure. */
  hasPath(path: string): boolean;
  manifest: OrpcAgentManifest;
}

type RefTree = { [name: string]: RefTree | AgentProcedureRef<object, unknown> };

/**
 * Makes a client's procedures available to components, as far as the manifest has them.
 *
 * @throws AgentSurfaceDefinitionError where the manifest has a procedure and others below it
 */
export function createOrpcAgentBridge<TClient extends object>(
  options: OrpcAgentBridgeOptions<TClient>,
): OrpcAgentBridge<TClient> {
  const { client, manifest, callContext, mapServerError } = options;
  const tools = new Map(Object.entries(manifest.tools));

  /** A procedure that agents may have, ready to be called. */
  const prepare = (path: string, input: unknown, info: ProcedureCallInfo): (() => Promise<unknown>) => {
    const procedure = tools.has(path) ? findProcedure(client, path.split(".")) : undefined;
    if (procedure === undefined) throw missingProcedure();
    const { signal } = info;
    const callOptions = callContext === undefined ? { signal } : { signal, context: callContext(info) };
    return () => procedure(input, callOptions);
  };

  const refs = emptyTree();
  for (const [path, tool] of tools) {
    const call = async (input: object, info: ProcedureCallInfo) => prepare(path, input, info)();
    place(refs, path, makeRef(path, tool, call));
  }

  return {
    refs: refs as RefsFor<TClient>,
    executor: {
      paths: [...tools.keys()],
      async execute({ path, input, info }) {
        const call = prepare(path, input, info);
        try {
          return (await call()) as JsonValue;
        } catch (error) {
          throw explainFailure(error, mapServerError);
        }
      },
    },
    hasPath: (path) => tools.has(path),
    manifest,
  };
}

function place(refs: RefTree, path: string, ref: AgentProcedureRef<object, unknown>): void {
  const steps = path.split(".");
  const name = steps.pop() ?? path;
  let group = refs;
  for (const step of steps) {
    const next = (group[step] ??= emptyTree());
    if (isBridgeRef(next)) throw standsBelow(path, next.path);
    group = next;
  }
  if (group[name] !== undefined) throw standsBelow(`${path}.${Object.keys(group[name])[0]}`, path);
  group[name] = ref;
}

/** Without a prototype: "constructor" and "__proto__" are names like any other. */
function emptyTree(): RefTree {
  return Object.create(null) as RefTree;
}

function standsBelow(path: string, procedure: string): AgentSurfaceDefinitionError {
  return new AgentSurfaceDefinitionError(
    "INVALID_DEFINITION",
    `the oRPC manifest has "${path}" below "${procedure}", which is a procedure itself`,
  );
}
