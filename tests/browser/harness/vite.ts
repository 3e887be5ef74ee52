import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer, preview } from "vite";
import { onTestFinished } from "vitest";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** On a free port of this machine. */
const ADDRESS = { host: "127.0.0.1", port: 0 };

/** Serves an app as `vite` does, for as long as the test runs, and returns its address. */
export async function serveSources(app: string): Promise<string> {
  const server = await createServer({ root: join(WORKSPACE, app), logLevel: "silent", server: ADDRESS });
  onTestFinished(() => server.close());
  await server.listen();
  return addressOf(server);
}

/** Serves what an app was built to as `vite preview` does, for as long as the test runs, and returns its address. */
export async function serveBuild(app: string, outDir: string): Promise<string> {
  const server = await preview({
    root: join(WORKSPACE, app),
    logLevel: "silent",
    build: { outDir },
    preview: ADDRESS,
  });
  onTestFinished(() => server.close());
  return addressOf(server);
}

function addressOf({ resolvedUrls }: { resolvedUrls: { local: string[] } | null }): string {
  const address = resolvedUrls?.local[0];
  if (address === undefined) throw new Error("the server listens nowhere");
  return address;
}
