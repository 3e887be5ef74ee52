import {
  actionContract,
  defineAgentComponentContract,
  emptyObjectSchema,
  fromJsonSchema,
  observationContract,
} from "@agent-surface/core";

const percent = fromJsonSchema<number>({ type: "integer", minimum: 0, maximum: 100 });

export const lampContract = defineAgentComponentContract({
  type: "home.lamp",
  description: "The lamp of the living room",
  observations: {
    brightness: observationContract({ description: "How bright it is, in percent", output: percent }),
  },
  actions: {
    dim: actionContract({
      description: "Set its brightness",
      input: fromJsonSchema<{ percent: number }>({
        type: "object",
        properties: { percent: { type: "integer", minimum: 0, maximum: 100 } },
        required: ["percent"],
        additionalProperties: false,
      }),
      effect: "local-state",
    }),
    turnOff: actionContract({
      description: "Turn it off",
      input: emptyObjectSchema,
      effect: "local-state",
      confirmation: "required",
    }),
  },
});
