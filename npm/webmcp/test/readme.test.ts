import { expect, it } from "vitest";
import { checkSnippets } from "../../../tests/docs/snippets.js";

it("every snippet of the package's page compiles", () => {
  const given = `
    declare const registry: import("@agent-surface/core").AgentSurfaceRegistry;
    declare function report(reason: string, message: string): void;
  `;
  expect(() => checkSnippets("npm/webmcp/README.md", { given })).not.toThrow();
});
