import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { agentSurface } from "@agent-surface/compiler";
import type { AgentSurfaceRegistry } from "@agent-surface/core";
import type { OrpcAgentManifest } from "@agent-surface/orpc";
import type { AnyRouter } from "@orpc/server";
import { RPCHandler } from "@orpc/server/node";
import { rolldown } from "rolldown";
import { build } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { checkSnippets, writeFiles } from "../../../tests/docs/snippets.js";
import { linkPackages, scratch } from "../../../tests/fixtures/apps.js";

const README = "npm/orpc/README.md";

/** The page around the component that is shown. */
const MAIN = `
import { AgentSurfaceProvider } from "@agent-surface/react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { registry } from "./agent/bridge.js";
import { DeviceTable } from "./DeviceTable.js";

const root = createRoot(document.body);
flushSync(() =>
  root.render(
    <AgentSurfaceProvider registry={registry}>
      <DeviceTable selected={["d1", "d2"]} />
    </AgentSurfaceProvider>,
  ),
);
export { registry };
`;

/** Its own types are another package; these are those that are needed here. */
type Jsdom = { JSDOM: new () => { window: { document: object; navigator: object } } };

/** Lets React find a page in Node, whose `fetch` and signals stay. */
async function openWindow(): Promise<void> {
  const untyped: string = "jsdom";
  const { JSDOM } = (await import(untyped)) as Jsdom;
  const { window } = new JSDOM();
  const page = { window, document: window.document, navigator: window.navigator };
  Object.assign(globalThis, page);
  onTestFinished(() => {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name);
  });
}

/** A module of the app, run by Node. */
async function run<T = unknown>(app: string, module: string): Promise<T> {
  const bundle = await rolldown({ cwd: app, input: module, external: /^[^./]/, platform: "node" });
  const { output } = await bundle.write({ dir: join(app, "out"), entryFileNames: "[name].mjs" });
  await bundle.close();
  return (await import(pathToFileURL(join(app, "out", output[0].fileName)).href)) as T;
}

/** The app of the page, and the manifest that its script has written. */
async function makeApp(): Promise<{ app: string; manifest: OrpcAgentManifest }> {
  const app = scratch();
  linkPackages(app);
  writeFiles(README, app);
  const before = process.cwd();
  process.chdir(app);
  try {
    await run(app, "./scripts/agent-manifest.ts");
  } finally {
    process.chdir(before);
  }
  const text = readFileSync(join(app, "src/agent/manifest.json"), "utf8");
  return { app, manifest: JSON.parse(text) as OrpcAgentManifest };
}

it("the script writes the manifest of the router that is shown, and every snippet compiles with it", async () => {
  const { manifest } = await makeApp();
  expect(Object.keys(manifest.tools)).toEqual(["devices.disable", "devices.list"]);
  expect(manifest.tools["devices.disable"]).toMatchObject({
    description: "Disable the given devices",
    effect: "destructive",
    inputSchema: { required: ["deviceIds"], additionalProperties: false },
  });
  expect(manifest.tools["devices.list"]).toMatchObject({ effect: "server-query" });
  const files = { "src/agent/manifest.json": JSON.stringify(manifest) };
  expect(() => checkSnippets(README, { files })).not.toThrow();
});

it("the app that is shown is proven, built, and calls its server for an agent whom its user lets", async () => {
  const { app } = await makeApp();
  const { router } = await run<{ router: AnyRouter }>(app, "./src/server/router.ts");
  const handler = new RPCHandler(router);
  const headers: unknown[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers["x-agent-invocation"]);
    void handler.handle(request, response, { prefix: "/rpc", context: {} });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const bridge = join(app, "src/agent/bridge.ts");
  writeFileSync(
    bridge,
    readFileSync(bridge, "utf8").replace("https://devices.example", `http://127.0.0.1:${port}`),
  );

  writeFileSync(join(app, "src/main.tsx"), MAIN);
  await build({
    root: app,
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface()],
    build: {
      minify: false,
      rolldownOptions: {
        input: join(app, "src/main.tsx"),
        output: { entryFileNames: "main.mjs" },
        preserveEntrySignatures: "strict",
      },
    },
  });
  await openWindow();
  const { registry } = (await import(pathToFileURL(join(app, "dist/main.mjs")).href)) as {
    registry: AgentSurfaceRegistry;
  };

  expect(registry.snapshot().procedures).toMatchObject([
    { procedureId: "domain:devices.disable", contextualNote: "2 devices are selected." },
  ]);
  const request = {
    capabilityId: "domain:devices.disable",
    invocationId: "call_1",
    input: { reason: "noise" },
  };
  const asked = await registry.invoke(request);
  expect(asked).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
  const [pending] = registry.confirmations.pending();
  const confirmationId = pending?.confirmationId ?? "";
  registry.confirmations.resolve(confirmationId, { approved: true });
  expect(await registry.invoke({ ...request, confirmationId })).toMatchObject({ output: { disabled: 2 } });
  expect(headers).toEqual(["call_1"]);
});
