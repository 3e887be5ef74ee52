/** Edits that come while a watching bundler is at work: whenever they do, it ends with what a clean build would be. */
import { once } from "node:events";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Plugin } from "vite";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentSurface, CONTRACT_FILE } from "@agent-surface/compiler";
import { contractModule, writeFiles, type Files } from "./app.js";
import { BUILDERS, capabilitiesOf, configOf, makePageAndServer, type CreateBuilder } from "./environments.js";
import { BuildEnds, readFiles, type Watcher } from "./watched.js";

/** A moment of a build: when a hook of an environment is called, and ours were. */
interface Moment {
  name: string;
  environment: "client" | "ssr";
  hook: "moduleParsed" | "buildEnd" | "renderChunk" | "closeBundle";
  /** The environment that is built only after it, the first time. */
  later?: "client" | "ssr";
}

const MOMENTS: readonly Moment[] = [
  {
    name: "when the page was read, and the server was not",
    environment: "client",
    hook: "moduleParsed",
    later: "ssr",
  },
  {
    name: "when the page was decided on, and the server was not read",
    environment: "client",
    hook: "buildEnd",
    later: "ssr",
  },
  {
    name: "when the server was decided on, and the page was not read",
    environment: "ssr",
    hook: "buildEnd",
    later: "client",
  },
  { name: "while the page's chunks are made", environment: "client", hook: "renderChunk" },
  { name: "while the page's build is closed", environment: "client", hook: "closeBundle" },
];

/** What is edited, and the capabilities from then on. */
const EDITS = [
  { of: "the page alone", file: "src/page.js", text: contractModule("demo.leaf", "page"), to: "leaf" },
  { of: "the server alone", file: "src/job.js", text: contractModule("demo.task", "job"), to: "task" },
  { of: "both", file: "src/shared.js", text: contractModule("demo.common", "shared"), to: "common" },
];

/** Does something at a moment, the first time that it comes after this is armed. */
class Trap {
  isArmed = false;
  #moment: Moment;
  #act: () => void;

  constructor(moment: Moment, act: () => void) {
    this.#moment = moment;
    this.#act = act;
  }

  plugin(): Plugin {
    const { environment, hook } = this.#moment;
    const spring = (name: string, id = "") => {
      const isLast = hook !== "moduleParsed" || /[\\/](?:page|job)\.js$/.test(id);
      if (!this.isArmed || !isLast || name !== environment) return;
      this.isArmed = false;
      this.#act();
    };
    const handler = function (this: { environment: { name: string } }, info?: { id?: string }) {
      spring(this.environment.name, info?.id);
    };
    return { name: "test:trap", [hook]: { order: "post", sequential: true, handler } };
  }
}

/** Begins to build an app, whose outputs are in a folder, and resolves to what comes of it. */
async function start(
  createBuilder: CreateBuilder,
  root: string,
  { folder, watch, plugins }: { folder: string; watch: object | null; plugins: Plugin[] },
) {
  const config = configOf({ root, plugins: [agentSurface(), ...plugins] });
  Object.assign(config.build ?? {}, { write: true, watch });
  for (const name of ["client", "ssr"]) {
    const build = config.environments?.[name]?.build;
    Object.assign(build ?? {}, { outDir: `${folder}/${name}` });
    const output = { entryFileNames: "[name].js", chunkFileNames: "[name].js" };
    Object.assign(build?.rollupOptions ?? {}, { output });
  }
  const builder = await createBuilder(config);
  return (name: string): Promise<unknown> => {
    const environment = builder.environments[name];
    if (environment === undefined) throw new Error(`there is no environment ${name}`);
    return builder.build(environment);
  };
}

/** An app that is built and watched, with something to happen at a moment. */
class Watched {
  readonly root = makePageAndServer();
  readonly trap: Trap;
  #createBuilder: CreateBuilder;
  #ends = new BuildEnds();
  #signal = new EventTarget();
  #sprung = once(this.#signal, "sprung");

  constructor(createBuilder: CreateBuilder, moment: Moment, edit: Files) {
    this.#createBuilder = createBuilder;
    this.trap = new Trap(moment, () => {
      writeFiles(this.root, edit);
      this.#signal.dispatchEvent(new Event("sprung"));
    });
  }

  /** Begins; where something is to come later, after the moment. */
  async start(later?: string): Promise<void> {
    const plugins = [this.trap.plugin()];
    const build = await start(this.#createBuilder, this.root, { folder: "dist", watch: {}, plugins });
    const watch = async (name: string) => {
      const watcher = (await build(name)) as Watcher;
      onTestFinished(() => watcher.close());
      this.#ends.follow(watcher);
    };
    const names = ["client", "ssr"];
    await Promise.all(names.filter((name) => name !== later).map(watch));
    if (later === undefined) return;
    await this.#sprung;
    await watch(later);
  }

  /** Resolves once the outputs are those of a clean build, however many builds that takes; what they admit. */
  async settle(): Promise<string[]> {
    await this.#sprung;
    const build = await start(this.#createBuilder, this.root, { folder: "clean", watch: null, plugins: [] });
    await build("client");
    await build("ssr");
    // oxlint-disable-next-line no-await-in-loop
    while (!isDeepStrictEqual(this.#outputs("dist"), this.#outputs("clean"))) await this.#ends.next();
    return capabilitiesOf(this.#outputs("clean")["client"]?.[CONTRACT_FILE]);
  }

  /** Resolves once the page's contract has a capability. */
  async until(capability: string): Promise<void> {
    const text = () => this.#outputs("dist")["client"]?.[CONTRACT_FILE] ?? "";
    // oxlint-disable-next-line no-await-in-loop
    while (!text().includes(capability)) await this.#ends.next();
  }

  #outputs(folder: string): Record<string, Files> {
    const names = ["client", "ssr"];
    return Object.fromEntries(names.map((name) => [name, readFiles(join(this.root, folder, name))]));
  }
}

describe.each(BUILDERS)("an edit while $name builds and watches,", ({ createBuilder }) => {
  describe.each(MOMENTS)("$name", (moment) => {
    it.each(EDITS)("the first time, of $of", async ({ file, text, to }) => {
      const app = new Watched(createBuilder, moment, { [file]: text });
      app.trap.isArmed = true;
      await app.start(moment.later);
      expect(await app.settle()).toContain(`view:demo.${to}.press`);
    });

    it("another time", async () => {
      const app = new Watched(createBuilder, moment, { "src/job.js": contractModule("demo.task", "job") });
      await app.start();
      await app.until("view:demo.page.press");
      app.trap.isArmed = true;
      writeFiles(app.root, { "src/page.js": contractModule("demo.leaf", "page") });
      const capabilities = ["view:demo.task.press", "view:demo.leaf.press", "view:demo.shared.press"];
      expect(await app.settle()).toEqual(capabilities);
    });
  });
});
