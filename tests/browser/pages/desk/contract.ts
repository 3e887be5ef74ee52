import {
  actionContract,
  defineAgentComponentContract,
  emptyObjectSchema,
  fromJsonSchema,
  observationContract,
} from "@agent-surface/core";

export const deskContract = defineAgentComponentContract({
  type: "office.desk",
  description: "The notes on the desk",
  observations: {
    notes: observationContract({
      description: "All notes",
      output: fromJsonSchema<string[]>({ type: "array", items: { type: "string" } }),
    }),
  },
  actions: {
    write: actionContract({
      description: "Write a note",
      input: fromJsonSchema<{ text: string }>({
        type: "object",
        properties: { text: { type: "string", minLength: 1, maxLength: 40 } },
        required: ["text"],
        additionalProperties: false,
      }),
      effect: "local-state",
    }),
    clear: actionContract({
      description: "Throw all notes away",
      input: emptyObjectSchema,
      effect: "local-state",
      confirmation: "required",
    }),
  },
});

export const drawerContract = defineAgentComponentContract({
  type: "office.drawer",
  description: "The drawer below the desk",
  actions: {
    lock: actionContract({
      description: "Lock the drawer",
      input: emptyObjectSchema,
      effect: "local-state",
    }),
  },
});
