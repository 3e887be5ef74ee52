import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageFailure } from "./failure.js";

/** The commands, in the order of the help. */
export const COMMANDS = ["inspect", "snapshot", "check", "explain"] as const;
export type Command = (typeof COMMANDS)[number];

const FORMATS = ["human", "json", "md", "github", "sarif"] as const;
const VERBOSITIES = ["min", "normal", "detail"] as const;
const POLICIES = ["all", "widening", "narrowing", "neutral", "none"] as const;

/** Where the snapshot is unless the user says otherwise, from the app's root. */
export const DEFAULT_SNAPSHOT = ".agent-surface/contract.json";

/** A dependency that may contribute capabilities, pinned to what it declares. */
export interface AllowedPackage {
  package: string;
  digest: string;
}

/** A command line that makes sense. */
export interface CommandOptions {
  command: Command;
  /** What to explain. */
  capability?: string;
  root: string;
  config?: string;
  targets: string[];
  allow: AllowedPackage[];
  snapshot: string;
  base?: string;
  policy: (typeof POLICIES)[number];
  format: (typeof FORMATS)[number];
  verbosity: (typeof VERBOSITIES)[number];
  plain: boolean;
  workspace: boolean;
}

/** What a command line asks for. */
export type Asked = { kind: "help" } | { kind: "version" } | { kind: "command"; options: CommandOptions };

const OPTIONS = {
  root: { type: "string" },
  config: { type: "string" },
  target: { type: "string", multiple: true },
  allow: { type: "string", multiple: true },
  snapshot: { type: "string" },
  // What the reference's documentation calls it.
  output: { type: "string" },
  base: { type: "string" },
  policy: { type: "string" },
  format: { type: "string" },
  verbosity: { type: "string" },
  json: { type: "boolean" },
  detail: { type: "boolean" },
  plain: { type: "boolean" },
  workspace: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const satisfies ParseArgsConfig["options"];

/** Options that only some commands have. */
const ONLY_FOR: Partial<Record<keyof typeof OPTIONS, readonly Command[]>> = {
  base: ["inspect", "check", "explain"],
  policy: ["check"],
  output: ["snapshot"],
  workspace: ["inspect", "snapshot", "check"],
};

/**
 * Reads a command line. Node's own parser is enough for one verb and its flags, so there is no dependency for it.
 * @throws UsageFailure where it makes no sense.
 */
export function readOptions(argv: readonly string[]): Asked {
  const { values, positionals } = parse(argv);
  if (values.help === true) return { kind: "help" };
  if (values.version === true) return { kind: "version" };
  const [command, ...operands] = positionals;
  if (command === undefined) throw new UsageFailure(`a command is missing: ${list(COMMANDS)}`);
  if (!isOneOf(COMMANDS, command)) {
    throw new UsageFailure(`there is no command \`${command}\`, only ${list(COMMANDS)}`);
  }
  for (const [option, commands] of Object.entries(ONLY_FOR)) {
    if (values[option as keyof typeof values] !== undefined && !commands.includes(command)) {
      throw new UsageFailure(`\`${command}\` has no option --${option}; it is one of ${list(commands)}`);
    }
  }
  const capability = command === "explain" ? operands.shift() : undefined;
  if (command === "explain" && capability === undefined) {
    throw new UsageFailure(
      "`explain` needs a capability, for example `agent-surface explain view:demo.counter.value`",
    );
  }
  if (operands.length > 0) throw new UsageFailure(`\`${operands.join(" ")}\` is one argument too many`);
  if (values.workspace === true && values.config !== undefined) {
    throw new UsageFailure("--workspace takes each app's own Vite config, so it does not go with --config");
  }
  const { root, config, base } = values;
  return {
    kind: "command",
    options: {
      command,
      ...(capability !== undefined && { capability }),
      root: root ?? ".",
      ...(config !== undefined && { config }),
      targets: values.target ?? [],
      allow: (values.allow ?? []).map(readAllowed),
      snapshot: values.output ?? values.snapshot ?? DEFAULT_SNAPSHOT,
      ...(base !== undefined && { base }),
      policy: choose("policy", POLICIES, values.policy ?? "all"),
      format: choose("format", FORMATS, values.json === true ? "json" : readFormat(values.format)),
      verbosity: choose(
        "verbosity",
        VERBOSITIES,
        values.detail === true ? "detail" : (values.verbosity ?? "normal"),
      ),
      plain: values.plain === true,
      workspace: values.workspace === true,
    },
  };
}

function parse(argv: readonly string[]) {
  // Package managers hand on the `--` that ends their own options.
  const separator = argv.indexOf("--");
  const args = argv.filter((_, index) => index !== separator);
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageFailure((error as Error).message.split(". ")[0] ?? "the command line makes no sense");
  }
}

/** The long name that Markdown's own tools use is one too. */
function readFormat(format: string | undefined): string {
  return format === "markdown" ? "md" : (format ?? "human");
}

function readAllowed(pair: string): AllowedPackage {
  const [, name, digest] = /^(.+)=([0-9a-f]{64})$/.exec(pair) ?? [];
  if (name === undefined || digest === undefined) {
    throw new UsageFailure(
      `--allow takes <package>=<sha256> with 64 lower-case hexadecimal digits, not \`${pair}\``,
    );
  }
  return { package: name, digest };
}

function choose<const T extends string>(option: string, words: readonly T[], word: string): T {
  if (isOneOf(words, word)) return word;
  throw new UsageFailure(`--${option} takes ${list(words)}, not \`${word}\``);
}

function isOneOf<const T extends string>(words: readonly T[], word: string): word is T {
  return (words as readonly string[]).includes(word);
}

/** `a, b or c` */
function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
