/** What a page is told of an edit. Two things are never told where one would do: after each, an ordinary edit is heard. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createLogger, type HotPayload } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, installPackages, makeApp, type Files } from "./app.js";
import { serve, SERVERS, type Major, type Served } from "./served.js";

/** An app with a contract, one behind a constant, one in a module with a component, and modules without any. */
const APP: Files = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js": `export { default as authority } from "virtual:agent-surface-contract";
import "./contract.js";
import "./worded.js";
import "./Panel.jsx";
import "./list.js";
import "./plain.js";
`,
  "src/contract.js": contractModule("demo.button"),
  "src/worded.js": `import { word } from "./words.js";\n${contractModule("demo.worded").replace('"Press it"', "word")}`,
  "src/words.js": 'export const word = "Press it";\n',
  "src/list.js": 'export * from "./gone.js";\n',
  "src/gone.js": contractModule("demo.gone"),
  "src/plain.js": "import.meta.hot?.accept();\nexport const plain = 0;\n",
  "src/Panel.jsx": `${contractModule("demo.panel").replace("export const", "const")}
export function Panel() {
  return <p title={String(contract)}>Before</p>;
}
`,
};

const NAMES = new Set(["button", "gone", "panel", "worded"]);

/** Whether it is about the edit that comes after each other one. */
const isPlain = (payload: HotPayload): boolean =>
  payload.type === "update" && JSON.stringify(payload).includes("plain.js");

/** An app in a page that has loaded all of it. */
class Page {
  readonly root: string;
  readonly served: Served;
  /** What the server says at the terminal. */
  readonly said: readonly string[];
  #edits = 0;

  constructor(root: string, served: Served, said: readonly string[] = []) {
    this.root = root;
    this.served = served;
    this.said = said;
  }

  static async open(major: Major): Promise<Page> {
    const root = makeApp(APP);
    installPackages(root, ["react", "react-dom"]);
    const said: string[] = [];
    const say = (text: string) => void said.push(text);
    const served = await serve(major.createServer, {
      root,
      server: { watch: { ignored: ["**"] } },
      customLogger: { ...createLogger("silent"), info: say, error: say },
      // Its plugin is one for Vite 8.
      plugins: [major.package === "vite" ? react() : [], agentSurface()],
    });
    const page = new Page(root, served, said);
    await page.load();
    return page;
  }

  /** Loads what the page imports, as it does after each reload. */
  async load(): Promise<void> {
    for (const file of Object.keys(APP).filter((name) => /^src\/(?!gone)/.test(name))) {
      // oxlint-disable-next-line no-await-in-loop
      await this.served.text(`/${file}`).catch(() => "");
    }
  }

  /** What the page is told of some files, and of nothing else besides. */
  async told(files: Files): Promise<HotPayload[]> {
    return this.#between(() => this.served.write(this.root, files));
  }

  /** The same of files that go. */
  async toldOfLoss(...files: string[]): Promise<HotPayload[]> {
    return this.#between(() => {
      for (const file of files) rmSync(join(this.root, file));
      this.served.notify("unlink", this.root, files);
    });
  }

  async #between(act: () => void): Promise<HotPayload[]> {
    const listener = this.served.listen();
    act();
    await listener.until((told) => told.length > 0);
    await this.load();
    // Whatever else there is to say of the first, it is said by the time that the second is.
    this.#edits += 1;
    const plain = `import.meta.hot?.accept();\nexport const plain = ${this.#edits};\n`;
    this.served.write(this.root, { "src/plain.js": plain });
    await listener.until((told) => told.some(isPlain));
    // What is imported no more is no news of the edit, but of the page that loads again.
    return listener.stop().filter((payload) => !isPlain(payload) && payload.type !== "prune");
  }

  /** The names in the contract that the page would get now. */
  async names(): Promise<Set<string>> {
    const ids = await this.served.capabilities();
    return new Set(ids.map((id) => id.replace(/^view:demo\.(\w+)\.press$/, "$1")));
  }
}

const kinds = (payloads: HotPayload[]): string[] => payloads.map(({ type }) => type);

describe.each(SERVERS)("with $name, a page that is told of an edit", (major) => {
  it("loads again, once, for a contract that is changed, added, renamed or removed, to the last one", async () => {
    const page = await Page.open(major);
    const button = APP["src/contract.js"] ?? "";
    const both = `${button}${contractModule("demo.lever", "lever").split("\n\n")[1] ?? ""}`;
    expect(kinds(await page.told({ "src/contract.js": button.replace("Press it", "Push it") }))).toEqual([
      "full-reload",
    ]);
    expect(await page.served.text("/src/contract.js")).toContain("Push it");
    expect(kinds(await page.told({ "src/contract.js": both }))).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["button", "gone", "lever", "panel", "worded"]));
    expect(
      kinds(await page.told({ "src/contract.js": both.replaceAll("demo.button", "demo.knob") })),
    ).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["gone", "knob", "lever", "panel", "worded"]));
    expect(kinds(await page.told({ "src/contract.js": "export {};\n" }))).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["gone", "panel", "worded"]));
    const main =
      'export { default as authority } from "virtual:agent-surface-contract";\nimport "./plain.js";\n';
    expect(kinds(await page.told({ "src/main.js": main }))).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set([]));
  });

  it("loads again, once, for a constant that a contract reads", async () => {
    const page = await Page.open(major);
    expect(kinds(await page.told({ "src/words.js": 'export const word = "Push it";\n' }))).toEqual([
      "full-reload",
    ]);
    expect(await page.served.text("/src/worded.js")).toContain("Push it");
  });

  it("loads again, once, for a module that is gone, and for each that comes back", async () => {
    const page = await Page.open(major);
    await page.told({ "src/list.js": "export {};\n" });
    expect(await page.names()).toEqual(new Set(["button", "panel", "worded"]));
    // Nobody imports it any more.
    const [lost] = await page.toldOfLoss("src/words.js");
    expect(lost).toMatchObject({ type: "error" });
    await expect(page.names()).rejects.toThrow(/word/);
    const restored = await page.served.hear(() =>
      page.served.write(page.root, { "src/words.js": APP["src/words.js"] ?? "" }, "add"),
    );
    expect(kinds(restored)).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["button", "panel", "worded"]));
  });

  it("loads again for a module that comes to match a pattern, and for one that goes", async () => {
    const root = makeApp({
      "index.html": APP["index.html"] ?? "",
      "src/main.js": 'console.log(import.meta.glob("./parts/*.js", { eager: true }));\n',
      "src/parts/a.js": contractModule("demo.a"),
    });
    const served = await serve(major.createServer, { root, server: { watch: { ignored: ["**"] } } });
    const page = new Page(root, served);
    await served.text("/src/main.js");
    expect(await page.names()).toEqual(new Set(["a"]));
    const told = await served.hear(() =>
      served.write(root, { "src/parts/b.js": contractModule("demo.b") }, "add"),
    );
    expect(kinds(told)).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["a", "b"]));
    await served.text("/src/main.js");
    rmSync(join(root, "src/parts/a.js"));
    const gone = await served.hear(() => served.notify("unlink", root, ["src/parts/a.js"]));
    expect(kinds(gone)).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["b"]));
  });

  it("is shown a broken contract where it stands, and loads again once it is mended", async () => {
    const page = await Page.open(major);
    const text = APP["src/contract.js"] ?? "";
    const [shown, ...rest] = await page.told({
      "src/contract.js": text.replace('"Press it"', "document.title"),
    });
    expect(rest).toEqual([]);
    expect(shown).toMatchObject({
      type: "error",
      err: {
        id: expect.stringMatching(/src\/contract\.js$/) as string,
        loc: { line: 6, column: expect.any(Number) as number },
        message: expect.stringMatching(/src\/contract\.js:6:[^]*document\.title/) as string,
      },
    });
    expect(kinds(await page.told({ "src/contract.js": text }))).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(NAMES);
  });

  it("has its developer told as well, at the terminal", async () => {
    const page = await Page.open(major);
    const text = APP["src/contract.js"] ?? "";
    await page.told({ "src/contract.js": text.replace('"Press it"', "document.title") });
    await page.told({ "src/contract.js": text });
    const own = page.said.filter((line) => line.startsWith("agent-surface"));
    expect(own).toEqual([
      expect.stringMatching(/^agent-surface found 1 contract problem[^]*document\.title/),
      "agent-surface: page reload, the contract changed with src/contract.js",
    ]);
  });

  it("keeps its contract while a text is half written", async () => {
    const page = await Page.open(major);
    const text = APP["src/contract.js"] ?? "";
    await page.told({ "src/contract.js": text.slice(0, text.indexOf("actions") + 12) });
    expect(await page.names()).toEqual(NAMES);
    const whole = text.replace("demo.button", "demo.lever");
    expect(kinds(await page.told({ "src/contract.js": whole }))).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["gone", "lever", "panel", "worded"]));
  });

  it("loads again, once, for two edits at once, and for one while another is looked at", async () => {
    const page = await Page.open(major);
    const files = {
      "src/contract.js": contractModule("demo.lever"),
      "src/gone.js": contractModule("demo.here"),
      "src/words.js": 'export const word = "Push it";\n',
    };
    expect(kinds(await page.told(files))).toEqual(["full-reload"]);
    expect(await page.names()).toEqual(new Set(["here", "lever", "panel", "worded"]));

    const later = page.served.listen();
    page.served.write(page.root, { "src/contract.js": contractModule("demo.knob") });
    // The first look has begun by now, and does not know of this.
    queueMicrotask(() => page.served.write(page.root, { "src/gone.js": contractModule("demo.there") }));
    await later.until((told) => told.length > 0);
    expect(new Set(kinds(later.stop()))).toEqual(new Set(["full-reload"]));
    await page.told({ "src/Panel.jsx": (APP["src/Panel.jsx"] ?? "").replace("Before", "After") });
    expect(await page.names()).toEqual(new Set(["knob", "panel", "there", "worded"]));
  });
});

const [VITE_8] = SERVERS;

describe("a page of React's that is told of an edit", () => {
  it("is told as ever where no contract is another, be there one in the module", async () => {
    const page = await Page.open(VITE_8 as Major);
    const text = APP["src/Panel.jsx"] ?? "";
    expect(await page.served.text("/src/Panel.jsx")).toMatch(/defineAgentComponentContract\(.*JSON\.parse\(/);
    const [update, ...rest] = await page.told({ "src/Panel.jsx": text.replace("Before", "After") });
    expect(rest).toEqual([]);
    // Fast refresh accepts it.
    expect(update).toMatchObject({
      type: "update",
      updates: [{ type: "js-update", acceptedPath: "/src/Panel.jsx" }],
    });
    expect(await page.served.text("/src/Panel.jsx")).toContain("After");
    expect(await page.names()).toEqual(NAMES);
  });
});
