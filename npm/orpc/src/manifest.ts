/**
 * Makes the manifest of a bridge from the oRPC router itself. For builds, scripts and servers: no page needs it.
 *
 * @packageDocumentation
 */
import type { AgentProcedureEffect, JsonSchema } from "@agent-surface/core";
import {
  resolveContractProcedures,
  type TraverseContractProcedureCallbackOptions,
  type TraverseContractProceduresOptions,
} from "@orpc/server";
import {
  askLibrary,
  convertSchema,
  NOTHING,
  type ConvertSchema,
  type ProcedureSchema,
  type SchemaSide,
} from "./conversion.js";
import type { OrpcAgentManifest, OrpcAgentTool } from "./exposure.js";

export type { ConvertSchema, ProcedureSchema, SchemaSide } from "./conversion.js";
export type { OrpcAgentManifest, OrpcAgentTool } from "./exposure.js";

/** What the backend says of a procedure that agents may have. */
export interface OrpcAgentExposure {
  /** What it does to the world. Only a procedure whose route is a `GET` needs not say it: it is a `server-query`. */
  effect?: AgentProcedureEffect;
  /** Shown to agents. Default: the `description` of the procedure's route, or its `summary`. */
  description?: string;
  /** Whether the server itself asks for an approval. */
  requiresApproval?: boolean;
}

/** The metadata that exposes a procedure: `os.$meta<OrpcAgentMeta>({})`. A procedure without it is for no agent. */
export interface OrpcAgentMeta {
  agent?: OrpcAgentExposure;
}

/** How a manifest is made. */
export interface OrpcAgentManifestOptions {
  /**
   * Gives the JSON Schema of a procedure's schema. By default the schema's own library says it, as Zod 4.2 and ArkType
   * 2.1.28 can. The contracts of the page have to come to the same documents.
   */
  toJsonSchema?: ConvertSchema;
}

/**
 * The manifest of those procedures in a router, or in the contract of one, that {@link OrpcAgentMeta} exposes. What is
 * loaded lazily is loaded.
 *
 * @throws Error that names every procedure which can't be exposed as it stands, and why
 */
export async function createOrpcAgentManifest(
  router: TraverseContractProceduresOptions["router"],
  { toJsonSchema = askLibrary }: OrpcAgentManifestOptions = {},
): Promise<OrpcAgentManifest> {
  const exposed: Exposed[] = [];
  await resolveContractProcedures({ router, path: [] }, ({ contract, path }) => {
    const definition = contract["~orpc"];
    const { agent } = definition.meta as OrpcAgentMeta;
    if (agent !== undefined) exposed.push({ path, name: path.join("."), agent, definition });
  });
  // In place, since `toSorted` wants a newer library than ES2022. By code unit, so that every router has one manifest.
  exposed.sort((a, b) => (a.name < b.name ? -1 : 1));
  const tools: Record<string, OrpcAgentTool> = {};
  const problems: string[] = [];
  for (const one of exposed) {
    const found = await describe(one, toJsonSchema);
    if (Array.isArray(found)) problems.push(...found.map((problem) => `  ${one.name}: ${problem}`));
    else tools[one.name] = found;
  }
  if (problems.length === 0) return { tools };
  throw new Error(["These procedures can't be exposed to agents:", ...problems].join("\n"));
}

type Definition = TraverseContractProcedureCallbackOptions["contract"]["~orpc"];

interface Exposed {
  readonly path: readonly string[];
  /** The path with dots. */
  readonly name: string;
  readonly agent: OrpcAgentExposure;
  readonly definition: Definition;
}

/** A procedure as agents get it, or all that stands against it. */
async function describe(
  { path, agent, definition }: Exposed,
  toJsonSchema: ConvertSchema,
): Promise<OrpcAgentTool | string[]> {
  const { route, inputSchema, outputSchema } = definition;
  const problems: string[] = [];
  const convert = async (
    schema: ProcedureSchema | undefined,
    side: SchemaSide,
  ): Promise<JsonSchema | undefined> => {
    try {
      return schema && (await convertSchema(schema, side, toJsonSchema));
    } catch (error) {
      problems.push(`its ${side} schema: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const description = agent.description ?? route.description ?? route.summary;
  const effect = agent.effect ?? (route.method === "GET" ? "server-query" : undefined);
  const input = (await convert(inputSchema, "input")) ?? NOTHING;
  const output = await convert(outputSchema, "output");
  if (path.some((step) => step === "" || step.includes("."))) problems.push("its path has a name with a dot");
  if (description === undefined) problems.push("it has no description");
  if (input["type"] !== "object" && input["anyOf"] === undefined && input["$ref"] === undefined) {
    problems.push("it takes no object");
  }
  if (effect === undefined) problems.push("it says no effect");
  if (description === undefined || effect === undefined || problems.length > 0) return problems;
  return {
    description,
    inputSchema: input,
    ...(output !== undefined && { outputSchema: output }),
    effect,
    ...(agent.requiresApproval !== undefined && { requiresApproval: agent.requiresApproval }),
  };
}
