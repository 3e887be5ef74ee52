#!/usr/bin/env node
import { run } from "../dist/index.js";

// Not `process.exit`: a pipe may not have taken the whole report yet.
process.exitCode = await run(process.argv.slice(2));
