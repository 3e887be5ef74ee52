import { createAgentSurfaceRegistry, createAgentToolset } from "@agent-surface/core";
import authority from "virtual:agent-surface-contract";
import { lampContract } from "./contract.js";

/** What became of calls through a registry, here. */
export interface Calls {
  /** How each call ended: its output, or the code of its error. */
  answers: Record<string, unknown>;
  /** What the lamp was set to. */
  level: number;
  /** The tools of a model's provider. */
  tools: string[];
}

/** Opens a registry with a lamp in it, and calls it in every way that ends differently. */
export async function call(): Promise<Calls> {
  let level = 10;
  const registry = createAgentSurfaceRegistry({ authority });
  const handle = registry.register(
    lampContract.bind({
      observations: { brightness: { read: () => level } },
      actions: {
        dim: {
          when: () => level !== 0,
          execute: async (percent, { signal }) => {
            // A turn of the event loop, in which the call may be given up.
            await new Promise((resolve) => setTimeout(resolve, 0));
            signal.throwIfAborted();
            level = percent;
          },
        },
      },
    }),
  );
  const dim = (input: number, options?: { signal: AbortSignal }) =>
    registry.invoke({ capabilityId: "view:probe.lamp.dim", input }, options);
  const givenUp = new AbortController();
  const pending = dim(60, { signal: givenUp.signal });
  givenUp.abort();
  const results = {
    cancelled: await pending,
    dimmed: await dim(40),
    tooMuch: await dim(400),
    read: await registry.invoke({ capabilityId: "view:probe.lamp.brightness" }),
    unproven: await registry.invoke({ capabilityId: "view:probe.lamp.explode", input: {} }),
  };
  const answers = Object.entries(results).map(([name, result]) => [
    name,
    result.status === "ok" ? (result.output ?? null) : result.error.code,
  ]);
  const toolset = createAgentToolset(registry, {
    consumer: { id: "edge", kind: "embedded" },
    topology: "embedded",
  });
  const tools = toolset.tools().map(({ name }) => name);
  handle.unregister();
  registry.dispose();
  return { answers: Object.fromEntries(answers) as Record<string, unknown>, level, tools };
}
