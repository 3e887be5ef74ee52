/**
 * `agent-surface`: inspects, snapshots, checks and explains the contract of an app. What a report says, and in
 * which form, is decided in Rust (`crates/review`); here are arguments, files, git and the terminal.
 *
 * @packageDocumentation
 */
export { run } from "./run.js";
export type { Io } from "./io.js";
