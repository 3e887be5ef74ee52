/** What a run reads of its surroundings and writes to; a test gives its own. */
export interface Io {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdout: Output;
  stderr: Output;
}

/** Where text goes. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  /** Width of a terminal. */
  columns?: number;
}

/** The process's own. */
export function processIo(): Io {
  return { cwd: process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr };
}

/**
 * Whether to colour what goes to an output: at a terminal, unless its user or a CI service says otherwise. Any
 * non-empty `NO_COLOR` counts (no-color.org).
 */
export function wantsColor(output: Output, env: NodeJS.ProcessEnv): boolean {
  return output.isTTY === true && !env["NO_COLOR"] && !env["CI"] && env["TERM"] !== "dumb";
}

/** The columns to fit lines to; none where the output is no terminal. */
export function widthOf(output: Output): number | undefined {
  return output.isTTY === true && output.columns ? output.columns : undefined;
}
