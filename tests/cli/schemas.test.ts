/** Schemas that a library made, as the command line sees them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { workspace } from "../fixtures/apps.js";
import { Repository } from "./repository.js";

it("explain names the library that made a capability's schemas, and its version", async () => {
  const repository = new Repository({ "": "zod" });
  const { version } = JSON.parse(readFileSync(workspace("node_modules/zod/package.json"), "utf8")) as {
    version: string;
  };
  const told = await repository.run(["explain", "view:devices.table.selectRows"]);
  expect(told.code).toBe(0);
  expect(told.stdout).toContain(`zod ${version}`);

  const { stdout } = await repository.run(["explain", "view:devices.table.selectRows", "--json"]);
  expect(JSON.stringify(JSON.parse(stdout))).toContain(`"libraries":[{"name":"zod","version":"${version}"}]`);
});
