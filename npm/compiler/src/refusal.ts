import type { Diagnostic } from "./binding.js";

/**
 * A build whose contract could not be proven. `message` is the whole report: every error with its place, the
 * lines around it and what to write instead.
 *
 * Bundlers decorate what a plugin throws, each in its own way; this shape prints the report once in all of
 * them. There is no `frame`, since the report has one per error, and no stack: it would lead into this
 * plugin, which is not where the mistake is. (The stack is empty rather than absent; Vite 7 prints the
 * stack's first lines as the error itself.)
 */
export class ContractError extends Error {
  override readonly name = "ContractError";
  override readonly stack = "";
  /** What `message` is before a bundler writes its own words around it, as Rollup does. */
  readonly report: string;
  /** Every finding of the build. */
  readonly diagnostics: readonly Diagnostic[];
  /** Module of the first error. */
  declare readonly id?: string;
  /** Place of the first error, in Rollup's convention: lines from 1, columns from 0. */
  declare readonly loc?: { file: string; line: number; column: number };

  constructor(report: string, diagnostics: readonly Diagnostic[]) {
    super(report.trimEnd());
    this.report = this.message;
    this.diagnostics = diagnostics;
    const first = diagnostics.find((diagnostic) => diagnostic.severity === "error");
    if (first !== undefined) Object.assign(this, placeOf(first));
  }
}

/**
 * What a plugin threw. Rolldown wraps it in an error of its own, whose message repeats it with a stack; Rollup writes the
 * plugin's name and the file into its message.
 */
export function soleCause(error: unknown): unknown {
  const errors = (error as { errors?: unknown }).errors;
  const cause: unknown = Array.isArray(errors) && errors.length === 1 ? errors[0] : error;
  // The app may have another copy of the class.
  if (cause instanceof Error && cause.name === "ContractError") {
    const { report } = cause as Partial<ContractError>;
    if (report !== undefined) cause.message = report;
  }
  return cause;
}

/** A diagnostic's place in Rollup's convention: lines from 1, columns from 0. */
export function placeOf({ id, line, column }: Diagnostic): Pick<ContractError, "id" | "loc"> {
  if (id === undefined) return {};
  return line === 0 ? { id } : { id, loc: { file: id, line, column: column - 1 } };
}
