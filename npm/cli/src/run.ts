import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, isRefusal, UsageFailure } from "./failure.js";
import { type Io, processIo } from "./io.js";
import { readOptions } from "./options.js";
import { keepOutput } from "./quiet.js";
import { reviewApps, reviewApp } from "./review.js";
import { USAGE } from "./usage.js";

/** Nothing to object to. */
const OK = 0;
/** The snapshot is stale, or a selected change was found. */
const OBJECTION = 1;
/** The command could not be carried out. */
const FAILURE = 2;

/** Runs one command line; returns its exit code. */
export async function run(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    const asked = readOptions(argv);
    if (asked.kind === "help") {
      io.stdout.write(USAGE);
      return OK;
    }
    if (asked.kind === "version") {
      io.stdout.write(`${version()}\n`);
      return OK;
    }
    const { options } = asked;
    const context = { options, io, version: version() };
    const outcome = await keepOutput(() => (options.workspace ? reviewApps(context) : reviewApp(context)));
    io.stdout.write(outcome.text);
    if (outcome.hint !== undefined) io.stderr.write(`${outcome.hint}\n`);
    if (outcome.failed) return FAILURE;
    return outcome.status === "fail" ? OBJECTION : OK;
  } catch (error) {
    // The compiler's report begins with the name already.
    io.stderr.write(`${isRefusal(error) ? "" : "agent-surface: "}${describe(error)}\n`);
    if (error instanceof UsageFailure) io.stderr.write("See agent-surface --help.\n");
    return FAILURE;
  }
}

function version(): string {
  const text = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
