import { expect, it } from "vitest";
import { checkSnippets, readSnippets, type Surroundings } from "./snippets.js";

/** What the compiler has to say about a page that is wrong on purpose. */
function complaints(surroundings?: Surroundings): string {
  try {
    checkSnippets("tests/docs/broken.md", surroundings);
  } catch (error) {
    return String(error);
  }
  return "";
}

it("the blocks of a page are found, with their language, path and line", () => {
  const [config] = readSnippets("README.md").filter(({ path }) => path === "vite.config.ts");
  expect(config).toMatchObject({
    language: "ts",
    code: expect.stringContaining("plugins: [agentSurface()]"),
  });
});

it("a snippet that does not compile is reported at the page's own line", () => {
  const said = complaints();
  expect(said).toMatch(/src\/app\.ts\(9,14\): error TS2322/);
  expect(said).toMatch(/line-13\.ts\(13,1\): error TS2304: Cannot find name 'missing'/);
});

it("what a page takes for granted is declared for all of its snippets, and checked as they are", () => {
  expect(complaints({ given: "declare function missing(): void;" })).not.toContain("missing");
  expect(complaints({ given: "declare function missing(): Missing;" })).toContain(
    "Cannot find name 'Missing'",
  );
});

it("a page without a snippet is a mistake", () => {
  expect(() => checkSnippets("LICENSE")).toThrow("no snippet to check");
});
