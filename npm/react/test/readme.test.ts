import { expect, it } from "vitest";
import { checkSnippets } from "../../../tests/docs/snippets.js";

/** The page's contract, and its app. */
const files = {
  "src/App.tsx": "export const App = () => null;",
  "src/contracts.ts": `
    import { actionContract, defineAgentComponentContract, emptyObjectSchema, fromJsonSchema, observationContract } from "@agent-surface/core";
    export const devicesContract = defineAgentComponentContract({
      type: "devices.table",
      description: "Devices",
      observations: {
        readState: observationContract({
          description: "What is shown",
          output: fromJsonSchema<{ rows: { id: string; name: string }[]; selected: string[] }>({ type: "object" }),
        }),
      },
      actions: {
        select: actionContract({
          description: "Select devices",
          input: fromJsonSchema<string[]>({ type: "array", items: { type: "string" } }),
          effect: "local-state",
        }),
        clear: actionContract({ description: "Select none", input: emptyObjectSchema, effect: "local-state" }),
      },
    });`,
};

it("every snippet compiles", () => {
  expect(() => checkSnippets("npm/react/README.md", { files })).not.toThrow();
});
