import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { onTestFinished } from "vitest";

/** What browsers insist on: a module script of another type is not run. */
const TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
};

/**
 * Serves a built app on a free port of this machine for as long as the test runs, with the given headers on every
 * response, and returns its address. A worker is bound by the headers of its own script, not by its page's.
 */
export async function serve(folder: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((request, response) => {
    // Parsing takes every `..` out of a path.
    const { pathname } = new URL(request.url ?? "/", "http://site");
    if (pathname === "/favicon.ico") return void response.writeHead(204).end();
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    readFile(join(folder, path)).then(
      (bytes) => response.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] }).end(bytes),
      () => response.writeHead(404, headers).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function close(server: Server): Promise<void> {
  // The browser keeps connections open that it may need again.
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
