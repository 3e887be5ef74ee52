import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the suite's browser listens. */
    chromium: string;
  }
}

/** What a browser does for its own sake: none of it is under test, and most of it asks the network. */
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
];

/** What is under test and still an experiment: `document.modelContext`. */
const EXPERIMENTS = ["--enable-features=WebMCP"];

/** Starts the one browser of the suite; every test file connects to it. Vitest calls what is returned at the end. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env["CHROMIUM_PATH"];
  if (!executablePath) {
    throw new Error("CHROMIUM_PATH names no Chromium; `cargo xtask test browser` looks for one and sets it");
  }
  const server = await chromium.launchServer({ executablePath, args: [...QUIET, ...EXPERIMENTS] });
  project.provide("chromium", server.wsEndpoint());
  return () => server.close();
}
