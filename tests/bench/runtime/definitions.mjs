/**
 * What is mounted in every measurement: one observation and one action, which do nothing.
 *
 * @param {any} core The package under measurement.
 * @param {number} index
 */
export function widget(core, index) {
  return {
    type: "bench.widget",
    instanceId: `w${index}`,
    description: "A widget",
    observations: {
      state: core.observation({ description: "Reads", output: outputOf(core), read: () => ({ n: index }) }),
    },
    actions: {
      poke: core.action({
        description: "Pokes",
        input: inputOf(core),
        effect: "local-state",
        execute: () => undefined,
      }),
    },
  };
}

/** @type {WeakMap<object, { input: any, output: any }>} */
const schemas = new WeakMap();

/** Contracts have their schemas once, wherever they are bound. @param {any} core */
function schemasOf(core) {
  const known = schemas.get(core);
  if (known) return known;
  const made = {
    input: core.fromJsonSchema({
      type: "object",
      properties: { ids: { type: "array", items: { type: "string" } } },
      required: ["ids"],
      additionalProperties: false,
    }),
    output: core.fromJsonSchema({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }),
  };
  schemas.set(core, made);
  return made;
}

/** @param {any} core */
const inputOf = (core) => schemasOf(core).input;

/** @param {any} core */
const outputOf = (core) => schemasOf(core).output;

/** About 32 kB of JSON. */
export const LARGE = {
  rows: Array.from({ length: 400 }, (_, index) => ({
    id: `device_${index}`,
    name: `Device ${index}`,
    status: index % 2 ? "online" : "offline",
    tags: ["a", "b", "c"],
  })),
};
