import {
  createAgentSurfaceRegistry,
  defineAgentProcedureContract,
  fromJsonSchema,
  type AgentSurfaceRegistry,
  type JsonValue,
} from "@agent-surface/core";
import { createOrpcAgentBridge, type OrpcAgentManifest } from "@agent-surface/orpc";
import { compile } from "./compile.js";

/** What `devices.disable` takes. */
export type Disable = { deviceIds: string[]; reason?: string };

/** What the backend lets agents have. */
export const manifest: OrpcAgentManifest = {
  tools: {
    "devices.disable": {
      description: "Disable the given devices",
      inputSchema: {
        type: "object",
        properties: {
          deviceIds: { type: "array", items: { type: "string" }, minItems: 1 },
          reason: { type: "string" },
        },
        required: ["deviceIds"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: { disabled: { type: "number" } },
        required: ["disabled"],
        additionalProperties: false,
      },
      effect: "server-mutation",
    },
    "devices.list": {
      description: "List devices",
      inputSchema: {
        type: "object",
        properties: { city: { type: "string" } },
        additionalProperties: false,
      },
      effect: "server-query",
    },
  },
};

const disable = declare<Disable, { disabled: number }>("devices.disable");
const list = declare<{ city?: string }, { items: string[] }>("devices.list");

/** The procedures' contracts as a build would ship them, and the authority over them. */
export const { authority, contracts } = compile({ disable, list });

/** A client that has noted what it was called with, and a bridge to it. */
export function connect() {
  const calls: { path: string; input: object; signal: AbortSignal | undefined }[] = [];
  const note = (path: string, input: object, signal: AbortSignal | undefined) =>
    calls.push({ path, input, signal });
  const client = {
    devices: {
      disable: async (input: Disable, options?: { signal?: AbortSignal }) => {
        note("devices.disable", input, options?.signal);
        return { disabled: input.deviceIds.length };
      },
      list: async (input: { city?: string }, options?: { signal?: AbortSignal }) => {
        note("devices.list", input, options?.signal);
        return { items: [] as string[] };
      },
      wipe: async () => ({ wiped: true }),
    },
  };
  return { calls, client, bridge: createOrpcAgentBridge({ client, manifest }) };
}

/** A registry that has a bridge's executor, and no component yet. */
export function open({ bridge }: Pick<ReturnType<typeof connect>, "bridge">): AgentSurfaceRegistry {
  const registry = createAgentSurfaceRegistry({ authority, environment: "test" });
  registry.setProcedureExecutor(bridge.executor);
  return registry;
}

function declare<TIn extends JsonValue, TOut extends JsonValue>(path: "devices.disable" | "devices.list") {
  const tool = manifest.tools[path];
  if (tool === undefined) throw new Error(`no ${path}`);
  return defineAgentProcedureContract<TIn, TOut>({
    id: `domain:${path}`,
    description: tool.description,
    input: fromJsonSchema<TIn>(tool.inputSchema),
    ...(tool.outputSchema && { output: fromJsonSchema<TOut>(tool.outputSchema) }),
    effect: tool.effect,
  });
}
