/** What a benchmark can be told on its command line. */
import { basename } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";

/**
 * One option.
 * @template T
 * @typedef {object} Option
 * @property {"string" | "boolean"} type As Node's parser takes it.
 * @property {string} usage What follows its name on the command line.
 * @property {string} says What it is for.
 * @property {(given: any) => T | undefined} read Its value from what was given, if anything was; nothing for what makes no sense.
 * @property {string} takes What makes sense.
 */

/** A whole number from 1. @param {number} usual @param {string} says @returns {Option<number>} */
export function count(usual, says) {
  return {
    type: "string",
    usage: ` <number>`,
    says: `${says} (default: ${usual})`,
    read: (given) => (given === undefined ? usual : wholeNumber(given)),
    takes: "takes a whole number from 1",
  };
}

/** Several of them. @param {readonly number[]} usual @param {string} says @returns {Option<readonly number[]>} */
export function counts(usual, says) {
  return {
    type: "string",
    usage: ` <number>,…`,
    says: `${says} (default: ${usual.join(",")})`,
    read: (given) => {
      if (given === undefined) return usual;
      const numbers = String(given)
        .split(",")
        .map((part) => wholeNumber(part) ?? 0);
      return numbers.includes(0) ? undefined : numbers;
    },
    takes: "takes whole numbers from 1 with commas between them",
  };
}

/** A word that is there or not. @param {string} says @returns {Option<boolean>} */
export function flag(says) {
  return { type: "boolean", usage: "", says, read: (given) => given === true, takes: "takes no value" };
}

/**
 * Reads the command line. `--help` is answered and ends the process; so does, with one line and exit code 2, whatever is
 * no option of the benchmark.
 * @template {Record<string, Option<any>>} T
 * @param {string} does What the benchmark measures, in one sentence.
 * @param {T} options By name.
 * @returns {{ [K in keyof T]: Exclude<ReturnType<T[K]["read"]>, undefined> }}
 */
export function readOptions(does, options) {
  const values = parse({ ...options, help: flag("this text") });
  if (values["help"] === true) {
    stdout.write(help(does, { ...options, help: flag("this text") }));
    exit(0);
  }
  const read = Object.entries(options).map(([name, option]) => {
    const value = option.read(values[name]);
    return [name, value === undefined ? refuse(`--${name} ${option.takes}`) : value];
  });
  return Object.fromEntries(read);
}

/** @param {Record<string, Option<unknown>>} options @returns {Record<string, unknown>} */
function parse(options) {
  const types = Object.entries(options).map(([name, { type }]) => [name, { type }]);
  try {
    return parseArgs({ options: Object.fromEntries(types) }).values;
  } catch (error) {
    // What follows the first sentence is about arguments that begin with a dash; here is none.
    return refuse(/** @type {Error} */ (error).message.split(". ")[0] ?? "");
  }
}

/** @param {string} does @param {Record<string, Option<unknown>>} options */
function help(does, options) {
  const rows = Object.entries(options).map(([name, { usage, says }]) => [`  --${name}${usage}`, says]);
  const width = Math.max(...rows.map(([form = ""]) => form.length)) + 2;
  const lines = rows.map(([form = "", says]) => form.padEnd(width) + says);
  return `${basename(argv[1] ?? "")}: ${does}\n\n${lines.join("\n")}\n`;
}

/** @param {string} message @returns {never} */
function refuse(message) {
  stderr.write(`${basename(argv[1] ?? "")}: ${message}; --help lists what there is\n`);
  exit(2);
}

/** @param {string} text */
function wholeNumber(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
