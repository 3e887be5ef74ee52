import { LARGE } from "./definitions.mjs";

/**
 * @typedef {{ name: string, core: any, open(options?: object): any, define(index: number): any,
 *   digest?(value: unknown): unknown }} System
 * @typedef {{ name: string, each: number, prepare(system: System): () => unknown }} Operation
 */

/** A registry in which so many widgets stand. @param {System} system @param {number} count @param {object} [options] */
export function populated(system, count, options) {
  const registry = system.open(options);
  for (let index = 0; index < count; index++) registry.register(system.define(index));
  return registry;
}

let calls = 0;

/** A call of the action of one widget, under an id of its own. @param {any} registry */
export const poke = (registry) =>
  registry.invoke({
    invocationId: `call_${calls++}`,
    capabilityId: "view:bench.widget.poke",
    instanceId: "w0",
    input: { ids: ["a"] },
  });

/** @param {any} registry */
export const read = (registry) =>
  registry.invoke({
    invocationId: `call_${calls++}`,
    capabilityId: "view:bench.widget.state",
    instanceId: "w0",
  });

/** A request that finds nothing, with a large input. */
const nothing = () => ({
  invocationId: `call_${calls++}`,
  capabilityId: "view:nothing.here",
  input: LARGE,
});

/** @param {any} registry @param {(registry: any) => Promise<{ status: string }>} call */
const many = (registry, call) => async () => {
  for (let repeat = 0; repeat < 100; repeat++) {
    const { status } = await call(registry);
    if (status !== "ok") throw new Error("the call failed");
  }
};

/** What is measured, in the order of the table. @type {Operation[]} */
export const operations = [
  {
    name: "register + unregister 100 components",
    each: 1,
    prepare(system) {
      const registry = system.open();
      const definitions = Array.from({ length: 100 }, (_, index) => system.define(index));
      return () => {
        const handles = definitions.map((definition) => registry.register(definition));
        for (const handle of handles) handle.unregister();
      };
    },
  },
  {
    name: "snapshot, 100 components, warm",
    each: 1,
    prepare(system) {
      const registry = populated(system, 100);
      return () => registry.snapshot();
    },
  },
  {
    name: "direct tools, 300 components",
    each: 1,
    prepare(system) {
      const registry = populated(system, 300);
      const options = { consumer: { id: "bench", kind: "embedded" }, topology: "embedded" };
      return () => {
        const toolset = system.core.createAgentToolset(registry, options);
        toolset.tools();
        toolset.dispose();
      };
    },
  },
  { name: "action invoke", each: 100, prepare: (system) => many(populated(system, 10), poke) },
  {
    name: "action invoke + 2 policies",
    each: 100,
    prepare(system) {
      const { authenticated, rateLimit } = system.core;
      const policies = [authenticated(), rateLimit({ limit: 1e9, windowMs: 60_000 })];
      return many(populated(system, 1, { context: () => ({ user: { id: "u" } }), policies }), poke);
    },
  },
  { name: "observation invoke", each: 100, prepare: (system) => many(populated(system, 10), read) },
  {
    name: "request digest of 32 kB input",
    each: 1,
    prepare(system) {
      // Ours digests a request in the kernel only: what is measured is a whole invocation that nothing comes of.
      const registry = system.open();
      return system.digest ? () => system.digest?.(LARGE) : () => registry.invoke(nothing());
    },
  },
];
