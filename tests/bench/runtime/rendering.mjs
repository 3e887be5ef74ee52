import { Window } from "happy-dom";
import { manifestOf, seal } from "./ours.mjs";

const NAMES = ["first", "second", "third", "fourth", "fifth"];

/**
 * Components that are rendered again: one that an agent knows nothing of, and one with five observations and five
 * actions, each of which has a `when`. React is the one for production.
 *
 * @param {any} core
 */
export async function rerenderings(core) {
  const window = new Window();
  const document = /** @type {any} */ (window.document);
  Object.assign(globalThis, { window, document });
  process.env["NODE_ENV"] = "production";
  const { createElement, useState } = await import("react");
  const { createRoot } = await import("react-dom/client");
  const { flushSync } = await import("react-dom");
  const { AgentSurfaceProvider, useAgentComponent } = await import("@agent-surface/react");
  const { contract, authority } = declare(core);
  const registry = core.createAgentSurfaceRegistry({ authority });

  /** @param {(value: number) => void} [bind] */
  const mount = (bind) => {
    /** @type {((value: number) => void) | undefined} */
    let render;
    const Page = () => {
      const [value, setValue] = useState(0);
      render = setValue;
      bind?.(value);
      return createElement("output", null, value);
    };
    const root = createRoot(document.body.appendChild(document.createElement("main")));
    flushSync(() => root.render(createElement(AgentSurfaceProvider, { registry }, createElement(Page))));
    let value = 0;
    return () => flushSync(() => render?.(++value));
  };
  return {
    bare: mount(),
    bound: mount((value) => {
      const observation = () => ({ read: () => value });
      const action = () => ({ when: () => value >= 0, unavailableReason: "not now", execute: () => {} });
      useAgentComponent(contract, {
        observations: {
          readFirst: observation(),
          readSecond: observation(),
          readThird: observation(),
          readFourth: observation(),
          readFifth: observation(),
        },
        actions: { first: action(), second: action(), third: action(), fourth: action(), fifth: action() },
      });
    }),
  };
}

/** What a compiler would ship of the page's contract. @param {any} core */
function declare(core) {
  const schema = { type: "integer" };
  const observations = NAMES.map((name) => `read${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  const declaration = { declarationId: "src/page.ts#contract", origin: "src/page.ts" };
  const read = { description: "Reads", effect: "read", outputSchema: schema };
  const act = { description: "Acts", effect: "local-state", inputSchema: schema };
  const entries = [
    ...observations.map((name) => ({
      ...declaration,
      ...read,
      kind: "observation",
      capabilityId: idOf(name),
    })),
    ...NAMES.map((name) => ({ ...declaration, ...act, kind: "action", capabilityId: idOf(name) })),
  ]
    .map(seal)
    .toSorted((a, b) => (a.capabilityId < b.capabilityId ? -1 : 1));
  const manifest = manifestOf(entries);
  const contract = core.defineAgentComponentContract(
    {
      type: "bench.page",
      description: "A page",
      observations: Object.fromEntries(
        observations.map((name) => [name, { description: "Reads", output: schema }]),
      ),
      actions: Object.fromEntries(
        NAMES.map((name) => [name, { description: "Acts", input: schema, effect: "local-state" }]),
      ),
    },
    {
      manifestHash: manifest.hash,
      declarationId: declaration.declarationId,
      contracts: Object.fromEntries(entries.map((entry) => [entry.capabilityId, entry.contractHash])),
    },
  );
  return { contract, authority: core.createCapabilityAuthority(manifest) };
}

/** @param {string} name */
const idOf = (name) => `view:bench.page.${name}`;
