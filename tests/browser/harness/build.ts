import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { build, type InlineConfig } from "vite";
import { afterAll } from "vitest";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Builds an app of the workspace for production by its own vite.config, with a little more said, and returns the
 * folder it was written to. The folder goes when the test file has ended.
 */
export async function buildApp(app: string, more: InlineConfig = {}): Promise<string> {
  const outDir = realpathSync(mkdtempSync(join(tmpdir(), "agent-surface-browser-")));
  afterAll(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    ...more,
    root: join(WORKSPACE, app),
    logLevel: "silent",
    build: { ...more.build, outDir, emptyOutDir: true },
  });
  return outDir;
}

/** The contract file that a build wrote. */
export async function readContract(folder: string): Promise<CapabilityContractManifest> {
  const text = await readFile(join(folder, "agent-surface.contract.json"), "utf8");
  return JSON.parse(text) as CapabilityContractManifest;
}
