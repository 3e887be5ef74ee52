import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, it } from "vitest";
import {
  agentSurface,
  CONTRACT_FILE,
  type AgentSurfacePlugin,
  type ContractError,
} from "@agent-surface/compiler";
import { installPackages, makeApp, type Files } from "./app.js";
import { bundleOnce, fileNamed, VITE_7, VITE_8, type Bundler, type Request } from "./bundlers.js";

/** A framework as a bundler builds it. */
interface Framework {
  name: string;
  bundler: Bundler;
  plugin: () => unknown;
  packages: string[];
  /** Ending of its component files. */
  ending: string;
}

const FRAMEWORKS: readonly Framework[] = [
  { name: "Vue with Vite 8", bundler: VITE_8, plugin: () => vue(), packages: ["vue"], ending: "vue" },
  { name: "Vue with Vite 7", bundler: VITE_7, plugin: () => vue(), packages: ["vue"], ending: "vue" },
  {
    name: "Svelte with Vite 8",
    bundler: VITE_8,
    plugin: () => svelte(),
    packages: ["svelte"],
    ending: "svelte",
  },
];

/** The two scripts of a component, by their opening tags. */
const SCRIPTS: Record<string, { module: string; instance: string }> = {
  vue: { module: "<script>", instance: "<script setup>" },
  svelte: { module: "<script module>", instance: "<script>" },
};

const IMPORT = `import { defineAgentComponentContract, fromJsonSchema, observationContract } from "@agent-surface/core";`;

/** A declaration with one observation, whose description this is. */
const declare = (type: string, description: string): string =>
  `defineAgentComponentContract({ type: "${type}", description: "It", observations: { it: observationContract({ ` +
  `description: ${description}, output: fromJsonSchema({ type: "string" }) }) } })`;

/** A component of which both scripts are written: what is in them, and in which language. */
function component(ending: string, scripts: { module?: string; instance?: string; lang?: string }): string {
  const tags = SCRIPTS[ending] ?? SCRIPTS["vue"];
  const block = (tag: string | undefined, text: string | undefined) =>
    text === undefined
      ? ""
      : `${tag?.replace(">", scripts.lang ? ` lang="${scripts.lang}">` : ">")}\n${text}\n</script>\n`;
  const markup = ending === "vue" ? "<template><p>é😀</p></template>\n" : "<p>é😀</p>\n";
  return `${markup}\n${block(tags?.module, scripts.module)}${block(tags?.instance, scripts.instance)}`;
}

/** Everything on one line, behind a character that counts differently in UTF-8 and UTF-16. */
const tokenLine = (name: string, type: string): string =>
  `/* é😀 */ note("token-before-${name}"); const ${name} = ${declare(type, '"D"')}; note("token-after-${name}", ${name});`;

async function bundleComponent(
  { bundler, plugin, packages, ending }: Framework,
  text: string,
  more: { files?: Files; request?: Partial<Request>; compiler?: AgentSurfacePlugin } = {},
) {
  const root = makeApp({
    "src/main.js": `export { default } from "./Panel.${ending}";\n`,
    [`src/Panel.${ending}`]: text,
    ...more.files,
  });
  installPackages(root, packages);
  // Vite takes what its own plugins are; the other bundlers are not asked here.
  const plugins = [more.compiler ?? agentSurface(), plugin() as AgentSurfacePlugin];
  return bundleOnce(bundler, { root, plugins, ...more.request });
}

async function declarationsOf(framework: Framework, text: string, files?: Files): Promise<string[]> {
  const compiler = agentSurface();
  await bundleComponent(framework, text, { compiler, ...(files && { files }) });
  return (compiler.api.proof("client")?.capabilities ?? []).map(
    ({ declarationId, file, line, column }) => `${declarationId} ${file}:${line}:${column}`,
  );
}

/** What a build that must fail says, each as `code line:column`, and its report. */
async function refusalOf(
  framework: Framework,
  text: string,
): Promise<{ problems: string[]; report: string }> {
  const failure: unknown = await bundleComponent(framework, text).then(
    () => expect.unreachable("the build passed"),
    (error: unknown) => error,
  );
  const { errors } = failure as { errors?: ContractError[] };
  const refusal = errors?.[0] ?? (failure as ContractError);
  const problems = refusal.diagnostics.map(
    ({ code, id, line, column }) => `${code} ${id?.split("/").at(-1)}:${line}:${column}`,
  );
  return { problems, report: refusal.message };
}

describe.each(FRAMEWORKS)("$name", (framework) => {
  const { ending } = framework;
  const file = `Panel.${ending}`;

  it.each([undefined, "ts"])("both scripts of a component may declare, with lang %s", async (lang) => {
    const annotation = lang === "ts" ? ": unknown" : "";
    const text = component(ending, {
      ...(lang && { lang }),
      module: `${IMPORT}\nexport const outer${annotation} = ${declare("demo.outer", '"Outer"')};`,
      instance: `const NAME = "In";\nconst inner${annotation} = ${declare("demo.inner", "NAME + 'ner'")};\nconsole.log(inner);`,
    });
    const column = (line: number) => (text.split("\n")[line - 1] ?? "").indexOf("{ description") + 1;
    expect(await declarationsOf(framework, text)).toEqual([
      `src/${file}#inner src/${file}:9:${column(9)}`,
      `src/${file}#outer src/${file}:5:${column(5)}`,
    ]);
  });

  it("a macro under another name, from a barrel, is found", async () => {
    const text = component(ending, {
      instance:
        `import { declareThing as thing, observationContract, fromJsonSchema } from "./surface.js";\n` +
        `const it = ${declare("demo.thing", '"It"').replace("defineAgentComponentContract", "thing")};\nconsole.log(it);`,
    });
    const files = {
      "src/surface.js": `export { defineAgentComponentContract as declareThing, observationContract, fromJsonSchema } from "@agent-surface/core";\n`,
    };
    expect(await declarationsOf(framework, text, files)).toHaveLength(1);
  });

  it("a contract of a component that nothing renders is in the contract all the same", async () => {
    const text = component(ending, {
      module: `${IMPORT}\nexport const outer = ${declare("demo.outer", '"Outer"')};`,
    });
    const files = await bundleComponent(framework, text, {
      files: { "src/main.js": `import Panel from "./${file}";\nexport const is = typeof Panel;\n` },
    });
    expect(fileNamed(files, CONTRACT_FILE).text).toContain("view:demo.outer.it");
  });

  it("each error is at its author's place", async () => {
    const { problems, report } = await refusalOf(
      framework,
      component(ending, {
        module: `${IMPORT}\nlet title = "a";\nexport const outer = ${declare("demo.outer", "title")};`,
        instance:
          `const later = () => {\n  const inner = ${declare("demo.inner", '"Inner"')};\n};\nlater();\n` +
          `const moving = ${declare("demo.moving", "document.title")};\nconsole.log(moving);`,
      }),
    );
    const outer = `export const outer = ${declare("demo.outer", "title")}`.lastIndexOf("title") + 1;
    const moving = `const moving = ${declare("demo.moving", "document.title")}`.indexOf("document") + 1;
    expect(problems).toEqual([
      `agent-surface(reassignable) ${file}:6:${outer}`,
      `agent-surface(unsupported-call) ${file}:10:17`,
      `agent-surface(dynamic-value) ${file}:13:${moving}`,
    ]);
    expect(report).toContain(`[src/${file}:13:${moving}]`);
    expect(report).toContain("  const inner = defineAgentComponentContract(");
  });

  it("what differs on the server is refused", async () => {
    const { problems } = await refusalOf(
      framework,
      component(ending, {
        instance: `${IMPORT}\nconst c = ${declare("demo.side", 'import.meta.env.SSR ? "a" : "b"')};\nconsole.log(c);`,
      }),
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^agent-surface\(varying-value\) Panel\.\w+:5:/);
  });

  it.each([undefined, "ts"])(
    "tokens around an expanded macro lead to their place, with lang %s",
    async (lang) => {
      const text = component(ending, {
        ...(lang && { lang }),
        module: `${IMPORT}\n${tokenLine("outer", "demo.outer")}`,
        instance: tokenLine("inner", "demo.inner"),
      });
      const files = await bundleComponent(framework, text, { request: { sourcemap: true } });
      const { text: chunk, map } = fileNamed(files, "app.js");
      if (map === undefined) throw new Error("the chunk has no map");
      const traced = new TraceMap(map as ConstructorParameters<typeof TraceMap>[0]);
      for (const token of ["before-outer", "after-outer", "before-inner", "after-inner"]) {
        const [place, written] = [chunk, text].map((it) => {
          const lines = it.slice(0, it.indexOf(`token-${token}`) - 1).split("\n");
          return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
        });
        if (place === undefined) throw new Error(`${token} is not in the chunk`);
        const { source, line: at, column } = originalPositionFor(traced, place);
        expect({ token, file: source?.replace(/^.*\//, "").replace(/\?.*$/, ""), line: at, column }).toEqual({
          token,
          file,
          ...written,
        });
      }
      expect(map).toHaveProperty("sourcesContent");
    },
  );
});
