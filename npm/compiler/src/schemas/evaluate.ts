import type { LibraryImport, SchemaAnswer, SchemaLibrary, SchemaQuestion } from "../binding.js";
import { Places, type Located } from "./locate.js";
import type { Outcome, Program } from "./program.js";
import { Spare } from "./spare.js";
import { Thread } from "./thread.js";

/** How schemas are evaluated. */
export interface EvaluateOptions {
  /** How long a library may take to load, and any one expression to evaluate, in milliseconds. */
  limit?: number;
  /** Whether there will be more to evaluate, by and by: then a worker is started ahead for it. */
  goesOn?: boolean;
}

/** Long for a schema, short for a build that would otherwise hang. */
const LIMIT = 10_000;

/** The worker of whoever asks next; of several builds in one process it is the first one's. */
const spare = new Spare();

/**
 * Starts a worker and has it load libraries, while the bundler still looks for what is to be evaluated with them. What is
 * started already is not started again.
 */
export function prepareSchemas(imports: readonly LibraryImport[]): void {
  if (imports.length === 0) return;
  const places = new Places();
  for (const it of imports) places.of(it);
  spare.start(places.all());
}

/**
 * Evaluates expressions over schema libraries with the project's own copies of them: all of a batch in one {@link Thread} of
 * its own. What takes too long is given up, and the others are evaluated without it.
 */
export async function evaluateSchemas(
  questions: readonly SchemaQuestion[],
  { limit = LIMIT, goesOn = false }: EvaluateOptions = {},
): Promise<SchemaAnswer[]> {
  if (questions.length === 0) return [];
  const places = new Places();
  const items = questions.map((question) => toItem(question, places));
  const located = places.all();
  let thread = spare.take(located);
  for (;;) {
    const left = items.filter(({ outcome }) => outcome === undefined);
    if (left.length === 0) break;
    thread ??= new Thread(located.map(({ url }) => url));
    const programs = left.map(({ program }) => program);
    // oxlint-disable-next-line no-await-in-loop -- what one worker leaves is for the next one
    const outcomes = await thread.run(programs, limit);
    for (const [at, item] of left.entries()) item.outcome = outcomes[at];
    thread = undefined;
  }
  if (goesOn) spare.start(located);
  return items.map(({ key, outcome, located: of }) => ({
    kind: "schema",
    key,
    ...(outcome ?? { failure: { message: "nothing came of it" } }),
    libraries: of.map(({ library }): SchemaLibrary => library),
  }));
}

/** A question on its way to an answer. */
interface Item {
  key: string;
  program: Program;
  located: Located[];
  outcome?: Outcome | undefined;
}

function toItem({ key, program, imports }: SchemaQuestion, places: Places): Item {
  const located = imports.map((it) => places.of(it));
  return { key, program: { text: program, imports: located.map(({ url }) => url) }, located };
}
