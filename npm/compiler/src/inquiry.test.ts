import { expect, it } from "vitest";
import type { Answer, NativeSession, Question } from "./binding.js";
import { Inquiry, type Bundler } from "./inquiry.js";

/** A session that asks each round in turn and notes what it is told. */
function scripted(rounds: Question[][]) {
  const told: Answer[][] = [];
  const session = { answer: (answers) => void told.push(answers) } as Pick<NativeSession, "answer">;
  const left = [...rounds];
  const step = () => {
    const questions = left.shift();
    return questions === undefined ? { kind: "done" as const } : { kind: "ask" as const, questions };
  };
  return { session: session as NativeSession, step, told };
}

/** A bundler that resolves to `/<specifier>`, except what is missing, and notes what it is asked. */
function bundler(asked: string[]): Bundler {
  return {
    resolve: (specifier, importer) => {
      asked.push(`${specifier} from ${importer}`);
      return Promise.resolve(specifier === "missing" ? null : { id: `/${specifier}`, external: "absolute" });
    },
    getModuleInfo: (id) => MODULES.find((module) => module.id === id) ?? null,
    getModuleIds: () => MODULES.map(({ id }) => id),
  };
}

/** A graph, as Rolldown tells it: of what is outside the bundle it doesn't know the importers. */
const MODULES = [
  { id: "/known", code: "text", importers: ["/a"], dynamicImporters: ["/b"], isEntry: false },
  {
    id: "/entry",
    code: "text",
    importers: [],
    dynamicImporters: [],
    isEntry: true,
    importedIds: ["outside"],
    dynamicallyImportedIds: [],
  },
  {
    id: "/late",
    code: "text",
    importers: ["/entry"],
    dynamicImporters: [],
    isEntry: false,
    importedIds: [],
    dynamicallyImportedIds: ["outside"],
  },
  { id: "outside", code: null, importers: [], dynamicImporters: [], isEntry: false },
];

it("knows who imports what is outside the bundle", async () => {
  const { session, step, told } = scripted([[{ kind: "module", id: "outside" }]]);
  await new Inquiry().settle(session, bundler([]), step);
  const known = { importers: ["/entry", "/late"], isEntry: false };
  expect(told).toEqual([[{ kind: "module", id: "outside", known }]]);
});

it("knows what a module imports, however it does, and looks a module up once a round", async () => {
  const questions: Question[] = [
    { kind: "module", id: "/late" },
    { kind: "code", id: "/late" },
  ];
  const { session, step, told } = scripted([questions, questions]);
  const looks: string[] = [];
  const graph = bundler([]);
  const getModuleInfo = (id: string) => {
    looks.push(id);
    return graph.getModuleInfo(id);
  };
  await new Inquiry().settle(session, { ...graph, getModuleInfo }, step);
  const known = { importers: ["/entry"], imports: ["outside"], isEntry: false };
  expect(told[0]).toEqual([
    { kind: "module", id: "/late", known },
    { kind: "code", id: "/late", text: "text" },
  ]);
  expect(looks).toEqual(["/late", "/late"]);
});

it("knows which modules of the graph were installed, and those that were made of one", async () => {
  const { session, step, told } = scripted([[{ kind: "installed" }]]);
  const installed = ["/app/node_modules/x/index.js", "\0/app/node_modules/x/index.js?commonjs-module"];
  const graph = { ...bundler([]), getModuleIds: () => ["/app/src/main.ts", ...installed, "outside"] };
  await new Inquiry().settle(session, graph, step);
  expect(told).toEqual([[{ kind: "installed", ids: installed }]]);
});

it("asks round after round until the compiler has a result", async () => {
  const { session, step, told } = scripted([
    [
      { kind: "resolve", specifier: "x", importer: "/m.ts" },
      { kind: "module", id: "/known" },
      { kind: "code", id: "/known" },
    ],
    [
      { kind: "resolve", specifier: "missing", importer: "/m.ts" },
      { kind: "module", id: "/unknown" },
      { kind: "code", id: "/unknown" },
    ],
  ]);
  await expect(new Inquiry().settle(session, bundler([]), step)).resolves.toEqual({ kind: "done" });
  expect(told).toEqual([
    [
      { kind: "resolved", specifier: "x", importer: "/m.ts", id: "/x", external: true },
      { kind: "module", id: "/known", known: { importers: ["/a", "/b"], isEntry: false } },
      { kind: "code", id: "/known", text: "text" },
    ],
    [
      { kind: "resolved", specifier: "missing", importer: "/m.ts", external: false },
      { kind: "module", id: "/unknown" },
      { kind: "code", id: "/unknown" },
    ],
  ]);
});

it("asks the bundler once for a package that several modules of a folder import, until it is reset", async () => {
  const asked: string[] = [];
  const inquiry = new Inquiry();
  const ask = (specifier: string, importer: string) =>
    inquiry.settle(session, bundler(asked), scripted([[{ kind: "resolve", specifier, importer }]]).step);
  const { session } = scripted([]);
  await ask("@scope/pkg", "/src/a.ts");
  await ask("@scope/pkg", "/src/b.ts");
  await ask("@scope/pkg", "/lib/c.ts");
  await ask("./x", "/src/a.ts");
  await ask("./x", "/src/b.ts");
  expect(asked).toEqual([
    "@scope/pkg from /src/a.ts",
    "@scope/pkg from /lib/c.ts",
    "./x from /src/a.ts",
    "./x from /src/b.ts",
  ]);
  inquiry.reset();
  await ask("@scope/pkg", "/src/b.ts");
  expect(asked).toHaveLength(5);
});
