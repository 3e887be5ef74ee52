import { Listeners } from "../events.js";
import type { AgentSurfaceRegistry } from "../registry.js";
import { readConsumer } from "../surface/request.js";
import { surfaceOf } from "../surface/seam.js";
import { Caller } from "./caller.js";
import { isSameCatalogue, listTools, type Catalogue } from "./direct.js";
import { metaTools } from "./meta.js";
import type { AgentTool, AgentToolset, AgentToolsetOptions } from "./types.js";

/**
 * Offers a surface to a model as tools.
 *
 * @throws TypeError where neither `topology` nor `confirmations` is given, or a budget in `direct` mode
 */
export function createAgentToolset(
  registry: AgentSurfaceRegistry,
  options: AgentToolsetOptions,
): AgentToolset {
  const { mode = "direct", topology, confirmations, budget } = options;
  if (topology === undefined && confirmations === undefined) {
    throw new TypeError(
      "createAgentToolset() has to know where its loop runs: say topology 'embedded' or 'remote', or confirmations " +
        "'wait' or 'two-phase'",
    );
  }
  if (budget !== undefined && mode !== "meta") {
    throw new TypeError(
      "a budget is for mode 'meta' only: in mode 'direct' it would leave tools out in silence; say a scope there",
    );
  }
  const surface = surfaceOf(registry, "createAgentToolset");
  const waits = (confirmations ?? (topology === "remote" ? "two-phase" : "wait")) === "wait";
  const caller = new Caller(
    surface,
    readConsumer(options.consumer),
    waits ? registry.confirmations : undefined,
  );
  return mode === "meta" ? metaToolset(caller, options) : directToolset(registry, caller, options);
}

function metaToolset(caller: Caller, options: AgentToolsetOptions): AgentToolset {
  const tools = metaTools(caller, options);
  const names = new Map<string, string>();
  return Object.freeze({
    tools: () => tools,
    wireNameMap: () => names,
    subscribe: () => () => undefined,
    dispose: () => caller.dispose(),
  });
}

function directToolset(
  registry: AgentSurfaceRegistry,
  caller: Caller,
  { scope: asked }: AgentToolsetOptions,
): AgentToolset {
  const { surface } = caller;
  const scope = asked && Array.from(asked, String);
  const listeners = new Listeners<AgentTool[]>((error) =>
    surface.report.error("a listener of a toolset threw", error),
  );
  let latest: Catalogue | undefined;
  let told: Catalogue | undefined;
  let isStale = true;

  const list = (): Catalogue => {
    if (latest === undefined || isStale || latest.version !== surface.version) {
      latest = listTools(caller, scope);
      isStale = false;
    }
    told ??= latest;
    return latest;
  };
  const onChange = (): void => {
    isStale = true;
    const before = told;
    const catalogue = list();
    if (before !== undefined && isSameCatalogue(before, catalogue)) return;
    told = catalogue;
    listeners.tell(catalogue.tools);
  };
  const unsubscribe = registry.subscribe(({ type }) => {
    if (type === "surface-changed") onChange();
  });

  return Object.freeze({
    tools: () => list().tools,
    wireNameMap: () => list().names,
    subscribe: (listener: (tools: AgentTool[]) => void) => listeners.add(listener),
    dispose() {
      unsubscribe();
      listeners.clear();
      caller.dispose();
    },
  });
}
