/** A program of the compiler (`crates/compiler/src/library/program.rs`) and the modules that it needs. */
export interface Program {
  /** `[constants, result]`, as JSON. */
  readonly text: string;
  /** URLs, in the order of the program's numbers for them. */
  readonly imports: readonly string[];
}

/** What a worker is started with. */
export interface Setup {
  /** URLs of the modules that its programs will likely need. */
  readonly imports: readonly string[];
  /** Which program the worker is at, for whoever has to end it. */
  readonly current: Int32Array;
}

/** What a worker is to do. It does so once. */
export interface Job {
  readonly programs: readonly Program[];
}

/** What came of a program. */
export type Outcome = { document: string } | { failure: Failure };

/** Why nothing came of it. */
export interface Failure {
  message: string;
  /** The call that failed. */
  site?: number;
  /** What stands in for a function of the app, and was called. */
  standIn?: number;
}

/** A node of a program: an array that begins with its kind, or a plain value. */
export type Tree = string | number | boolean | null | readonly Tree[];
