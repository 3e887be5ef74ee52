import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../npm", import.meta.url));

/** The entries of a package, each with the file that types it. */
function entriesOf(name: string): [entry: string, types: string][] {
  const { exports } = JSON.parse(readFileSync(`${PACKAGES}/${name}/package.json`, "utf8")) as {
    exports?: Record<string, { types?: string }>;
  };
  return Object.entries(exports ?? {}).flatMap(([entry, { types }]) =>
    types === undefined ? [] : [[`@agent-surface/${name}${entry.slice(1)}`, `${PACKAGES}/${name}/${types}`]],
  );
}

/** The names that a file of declarations exports. None of ours exports a star. */
function namesIn(types: string): string[] {
  const text = readFileSync(types, "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
  expect(text).not.toMatch(/export (?:type )?\*/);
  const listed = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType = "", names = ""]) =>
    names
      .split(",")
      .map((name) => isType + name.trim().replace(/(type )?.* as /, "$1"))
      .filter((name) => name !== isType),
  );
  const declared = [
    ...text.matchAll(
      /^export (?:declare )?(?:const|let|function|class|abstract class|(interface|type)) (\w+)/gm,
    ),
  ].map(([, isType, name]) => (isType === undefined ? `${name}` : `type ${name}`));
  return [...new Set([...listed, ...declared])].toSorted();
}

it("what the packages export is what is written down, so that no change of it goes unseen", async () => {
  const entries = readdirSync(PACKAGES).toSorted().flatMap(entriesOf);
  const sections = entries.map(([entry, types]) => [entry, ...namesIn(types).map((name) => `  ${name}`)]);
  const text = `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
  await expect(text).toMatchFileSnapshot("exports.txt");
});
