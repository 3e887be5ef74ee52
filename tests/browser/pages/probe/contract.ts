import {
  actionContract,
  defineAgentComponentContract,
  fromJsonSchema,
  observationContract,
} from "@agent-surface/core";

export const lampContract = defineAgentComponentContract({
  type: "probe.lamp",
  description: "A lamp",
  observations: {
    brightness: observationContract({
      description: "Its brightness in percent",
      output: fromJsonSchema<number>({ type: "integer", minimum: 0, maximum: 100 }),
    }),
  },
  actions: {
    dim: actionContract({
      description: "Set its brightness",
      input: fromJsonSchema<number>({ type: "integer", minimum: 0, maximum: 100 }),
      effect: "local-state",
    }),
  },
});
