import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import {
  build as build8,
  createLogger,
  createServer as createServer8,
  type HotPayload,
  type InlineConfig,
  type ViteDevServer,
} from "vite";
import { build as build7, createServer as createServer7 } from "vite7";
import { onTestFinished } from "vitest";
import {
  agentSurface,
  canonicalManifestJson,
  CONTRACT_FILE,
  VIRTUAL_CONTRACT_ID,
} from "@agent-surface/compiler";
import { installVite, writeFiles, type Files } from "./app.js";

/** What starts a dev server. */
export type CreateServer = typeof createServer8;

/** What builds an app. */
export type Build = typeof build8;

/** A major of Vite. */
export interface Major {
  name: string;
  /** Its package in this checkout. */
  package: string;
  createServer: CreateServer;
  build: Build;
}

/** The majors of Vite whose servers are tested. */
export const SERVERS: readonly Major[] = [
  { name: "Vite 8", package: "vite", createServer: createServer8, build: build8 },
  {
    name: "Vite 7",
    package: "vite7",
    // The two majors differ in types that play no part here.
    createServer: createServer7 as unknown as CreateServer,
    build: build7 as unknown as Build,
  },
];

/**
 * Starts a dev server with the plugin, unless `config` brings its own, for as long as the test runs. Nothing is bound to a
 * port, so that what a page would hear can be listened to here.
 */
export async function serve(createServer: CreateServer, config: InlineConfig): Promise<Served> {
  const major = SERVERS.find((it) => it.createServer === createServer);
  const { root } = config;
  // As an app has it; without it the other major, beside the plugin, would be found.
  if (root !== undefined && !hasVite(root)) installVite(root, major?.package);
  const server = await createServer({
    configFile: false,
    logLevel: "silent",
    optimizeDeps: { noDiscovery: true },
    plugins: [agentSurface()],
    ...config,
    server: { middlewareMode: true, ws: false, ...config.server },
  });
  onTestFinished(() => server.close());
  return new Served(server);
}

/** Whether a Vite is installed for an app, in its folder or one above. */
function hasVite(folder: string): boolean {
  if (existsSync(join(folder, "node_modules/vite"))) return true;
  return dirname(folder) !== folder && hasVite(dirname(folder));
}

/** A server, and what a page would see of it. */
export class Served {
  #server: ViteDevServer;

  constructor(server: ViteDevServer) {
    this.#server = server;
  }

  /** A module as the page gets it. */
  async text(url: string): Promise<string> {
    const result = await this.#server.environments.client.transformRequest(url);
    return result?.code ?? "";
  }

  /** What a browser gets for a URL. */
  async fetch(url: string): Promise<{ headers: Headers; text: string }> {
    const http = createHttpServer(this.#server.middlewares).listen(0, "127.0.0.1");
    await once(http, "listening");
    try {
      const { port } = http.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}${url}`, { headers: { connection: "close" } });
      return { headers: response.headers, text: await response.text() };
    } finally {
      http.close();
    }
  }

  /** A module as the server itself runs it. */
  run(url: string): Promise<Record<string, unknown>> {
    return this.#server.ssrLoadModule(url);
  }

  /** A module as a server that renders pages gets it. */
  async textOnServer(url: string): Promise<string> {
    const result = await this.#server.environments.ssr.transformRequest(url);
    return result?.code ?? "";
  }

  /** To which module a specifier leads from another. */
  async idOf(specifier: string, importer: string): Promise<string> {
    const found = await this.#server.environments.client.pluginContainer.resolveId(specifier, importer);
    return found?.id ?? "";
  }

  /** What the authority has. */
  async capabilities(): Promise<string[]> {
    return idsOf(await this.contract());
  }

  /** The contract that the authority rests on, as a file would have it. */
  async contract(): Promise<string> {
    const text = await this.text(VIRTUAL_CONTRACT_ID);
    const [, literal = ""] = /JSON\.parse\(('.*')\)/.exec(text) ?? [];
    // oxlint-disable-next-line typescript/no-implied-eval -- the literal of a text, in which quotes are escaped
    return canonicalManifestJson(JSON.parse(new Function(`return ${literal}`)() as string) as never);
  }

  /** Writes files and lets the watcher say so. */
  write(root: string, files: Files, event: "add" | "change" = "change"): void {
    writeFiles(root, files);
    this.notify(event, root, Object.keys(files));
  }

  /** Lets the watcher say something of files. */
  notify(event: "add" | "change" | "unlink", root: string, files: readonly string[]): void {
    for (const file of files) this.#server.watcher.emit(event, join(root, file));
  }

  /** Writes files, lets the watcher say so and resolves to what the page is told of it, once it was told. */
  edit(root: string, files: Files): Promise<HotPayload[]> {
    return this.hear(() => this.write(root, files));
  }

  /** Does something and resolves to what the page is told from then on, once it was told anything. */
  async hear(act: () => void): Promise<HotPayload[]> {
    const listener = this.listen();
    act();
    await listener.until((told) => told.length > 0);
    return listener.stop();
  }

  /** Hears what the page is told from now on. */
  listen(): Listener {
    return new Listener(this.#server.environments.client.hot);
  }
}

/** Keeps what a page is told. */
export class Listener {
  #told: HotPayload[] = [];
  #heard = new EventTarget();
  #restore: () => void;

  constructor(hot: ViteDevServer["environments"]["client"]["hot"]) {
    const send = hot.send.bind(hot);
    hot.send = (payload: unknown) => {
      this.#told.push(payload as HotPayload);
      this.#heard.dispatchEvent(new Event("payload"));
    };
    this.#restore = () => (hot.send = send);
  }

  /** Resolves once this is so of all that was told. */
  async until(isEnough: (told: readonly HotPayload[]) => boolean): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop
    while (!isEnough(this.#told)) await once(this.#heard, "payload");
  }

  /** Ends listening, and returns all that was told. */
  stop(): HotPayload[] {
    this.#restore();
    return this.#told;
  }
}

/** What came of an app in both of its modes. */
export interface Truth {
  /** Ids of the capabilities in the contract that the build writes, or the beginning of why there is none. */
  built: string[];
  /** The same of the contract that the server hands out. */
  served: string[];
  /** Whether the one is the other to the byte. */
  isSame: boolean;
  /** How the server came by it, as it tells who asks. */
  way: string;
}

/**
 * Builds an app, serves it, and compares. The server comes first: whatever it does to plugins that are given to both, the
 * build does not see. `config` is called for each.
 */
export async function compare(major: Major, config: () => InlineConfig): Promise<Truth> {
  const told: string[] = [];
  const debug = process.env["DEBUG"];
  process.env["DEBUG"] = "agent-surface";
  let served: string;
  try {
    const customLogger = { ...createLogger("silent"), info: (text: string) => void told.push(text) };
    const { customLogger: _, ...given } = { customLogger, ...config() };
    const running = await serve(major.createServer, { ...given, customLogger });
    served = await running.contract().catch((error: unknown) => `!${String(error)}`);
  } finally {
    if (debug === undefined) delete process.env["DEBUG"];
    else process.env["DEBUG"] = debug;
  }
  const built = await buildContract(major, config()).catch((error: unknown) => `!${String(error)}`);
  const [way = ""] = told.filter((text) => text.startsWith("agent-surface:"));
  return { built: idsOf(built), served: idsOf(served), isSame: built === served, way };
}

/** The contract that a build writes. */
export async function buildContract({ build }: Major, config: InlineConfig): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface()],
    ...config,
    build: { ...config.build, write: false },
  });
  const files = [result].flat().flatMap((output) => ("output" in output ? output.output : []));
  const file = files.find(({ fileName }) => fileName === CONTRACT_FILE);
  return file?.type === "asset" ? Buffer.from(file.source).toString() : "";
}

function idsOf(contract: string): string[] {
  if (contract.startsWith("!")) return [contract];
  const { capabilities } = JSON.parse(contract) as { capabilities: { capabilityId: string }[] };
  return capabilities.map(({ capabilityId }) => capabilityId);
}
