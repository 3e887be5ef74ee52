import { once } from "node:events";
import { join } from "node:path";
import { createServer as createServer8, type HotPayload, type InlineConfig, type ViteDevServer } from "vite";
import { createServer as createServer7 } from "vite7";
import { onTestFinished } from "vitest";
import { agentSurface, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";
import { writeFiles, type Files } from "./app.js";

/** What starts a dev server. */
export type CreateServer = typeof createServer8;

/** The majors of Vite whose servers are tested. */
export const SERVERS: readonly { name: string; createServer: CreateServer }[] = [
  { name: "Vite 8", createServer: createServer8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", createServer: createServer7 as unknown as CreateServer },
];

/**
 * Starts a dev server with the plugin, unless `config` brings its own, for as long as the test runs. Nothing is bound to a
 * port, so that what a page would hear can be listened to here.
 */
export async function serve(createServer: CreateServer, config: InlineConfig): Promise<Served> {
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

  /** To which module a specifier leads from another. */
  async idOf(specifier: string, importer: string): Promise<string> {
    const found = await this.#server.environments.client.pluginContainer.resolveId(specifier, importer);
    return found?.id ?? "";
  }

  /** What the authority has. */
  async capabilities(): Promise<string[]> {
    const text = await this.text(VIRTUAL_CONTRACT_ID);
    const [, literal = ""] = /JSON\.parse\(('.*')\)/.exec(text) ?? [];
    const { capabilities } = JSON.parse(literal.slice(1, -1)) as {
      capabilities: { capabilityId: string }[];
    };
    return capabilities.map(({ capabilityId }) => capabilityId);
  }

  /** Writes files, lets the watcher say so and resolves to what the page is told of it, once it was told. */
  edit(root: string, files: Files): Promise<HotPayload[]> {
    return this.hear(() => {
      writeFiles(root, files);
      for (const file of Object.keys(files)) this.#server.watcher.emit("change", join(root, file));
    });
  }

  /** Does something and resolves to what the page is told from then on, once it was told. */
  async hear(act: () => void): Promise<HotPayload[]> {
    const { hot } = this.#server.environments.client;
    const told: HotPayload[] = [];
    const send = hot.send.bind(hot);
    const heard = new EventTarget();
    hot.send = (payload: unknown) => {
      told.push(payload as HotPayload);
      heard.dispatchEvent(new Event("payload"));
    };
    const first = once(heard, "payload");
    act();
    await first;
    hot.send = send;
    return told;
  }
}
