#!/usr/bin/env node
import { refuseNode } from "../dist/node.js";

const refusal = refuseNode(process.versions.node);
if (refusal === undefined) {
  // Only now: an older Node may not even get through the imports of what this leads to.
  const { run } = await import("../dist/index.js");
  // Not `process.exit`: a pipe may not have taken the whole report yet.
  process.exitCode = await run(process.argv.slice(2));
} else {
  console.error(`agent-surface: ${refusal}`);
  process.exitCode = 2;
}
