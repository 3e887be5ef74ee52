import { stripVTControlCharacters } from "node:util";

/** Why a command could not be carried out, in words for the user. It ends with exit code 2. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** A misuse of the command line: its help is worth a hint. */
export class UsageFailure extends Failure {}

/** What to print of an error: the whole report of a contract that was refused, else one line. */
export function describe(error: unknown): string {
  if (isRefusal(error)) return error.message;
  return firstLine(error instanceof Error ? error.message : String(error));
}

/** Whether this is the compiler's `ContractError`. The app may have another copy of the class. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === "ContractError";
}

/** The first line that says something. */
export function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim());
  return lines.find((line) => line !== "") ?? "unknown error";
}
