import {
  actionContract,
  defineAgentComponentContract,
  emptyObjectSchema,
  fromJsonSchema,
  observationContract,
} from "@agent-surface/core";
import { compile } from "./compile.js";

/** A counter as its author declares it. */
const counter = defineAgentComponentContract({
  type: "demo.counter",
  description: "A counter",
  observations: {
    value: observationContract({
      description: "The number",
      output: fromJsonSchema<number>({ type: "number" }),
    }),
  },
  actions: {
    add: actionContract({
      description: "Add to the number",
      input: fromJsonSchema<number>({ type: "number" }),
      effect: "local-state",
    }),
    reset: actionContract({
      description: "Make the number 0",
      input: emptyObjectSchema,
      effect: "local-state",
    }),
  },
});

/** What can be done only with the user's consent. */
const safe = defineAgentComponentContract({
  type: "demo.safe",
  description: "A safe",
  actions: {
    open: actionContract({
      description: "Open the safe",
      input: fromJsonSchema<{ code: number }>({
        type: "object",
        properties: { code: { type: "number" } },
        required: ["code"],
        additionalProperties: false,
      }),
      effect: "local-state",
      confirmation: "required",
    }),
  },
});

/** The contracts of these tests as a build would ship them, and the authority over them. */
export const { authority, contracts } = compile({ counter, safe });
