/** The apps whose schemas are made by a library: what is proven of them, and that it is the same everywhere. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CONTRACT_FILE, compileCapabilityContract, canonicalManifestJson } from "@agent-surface/compiler";
import {
  bundle,
  contractOf,
  copyFixture,
  fileNamed,
  fixture,
  VITE_8,
  VITES,
  workspace,
} from "../fixtures/apps.js";

const APPS = ["zod", "valibot", "arktype", "typebox"];

describe.each(VITES)("built by $name", (vite) => {
  it.each(APPS)("the contract of %s is the recorded one, byte for byte", async (app) => {
    await expect(await contractOf(vite, fixture(app))).toMatchFileSnapshot(`contracts/${app}.txt`);
  });

  it("the environment of a build does not reach the contract", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [workspace("tests/fixtures/build-elsewhere.mjs"), vite.package, fixture("zod")],
      {
        env: {
          ...process.env,
          LC_ALL: "da_DK.UTF-8",
          LANG: "da_DK.UTF-8",
          TZ: "Pacific/Kiritimati",
          NODE_ENV: "production",
        },
      },
    );
    const { contract } = JSON.parse(stdout) as { contract: string };
    await expect(contract).toMatchFileSnapshot("contracts/zod.txt");
  });
});

it.each(APPS)("a copy of %s at another path has the same contract", async (app) => {
  await expect(await contractOf(VITE_8, copyFixture(app, "elsewhere & so on"))).toMatchFileSnapshot(
    `contracts/${app}.txt`,
  );
});

it.each(APPS)("asked for its contract, %s gives the one of its build", async (app) => {
  const manifest = await compileCapabilityContract({ root: copyFixture(app, "app") });
  await expect(canonicalManifestJson(manifest)).toMatchFileSnapshot(`contracts/${app}.txt`);
});

it.each(APPS)(
  "built for a server, with the library left out of the bundle, %s has the same contract",
  async (app) => {
    const root = copyFixture(app, "app");
    // An app with pages has its contract from the build for browsers.
    rmSync(join(root, "index.html"));
    const files = await bundle(VITE_8, root, {
      build: { ssr: "src/contracts.ts", ssrEmitAssets: true },
    });
    const contract = fileNamed(files, CONTRACT_FILE).text;
    await expect(contract).toMatchFileSnapshot(`contracts/${app}.txt`);
  },
);
