import {
  reviewContract,
  reviewWorkspace,
  type ProvenContract,
  type RenderOptions,
  type Review,
} from "@agent-surface/compiler/review";
import { compileApp, findApp, findFolder, PluginFailure, type App } from "./app.js";
import { describe, Failure } from "./failure.js";
import { prefixOf, readBase } from "./git.js";
import { type Io, wantsColor, widthOf } from "./io.js";
import type { CommandOptions } from "./options.js";
import { Progress } from "./progress.js";
import { locateSnapshot, readSnapshot, writeSnapshot } from "./snapshot.js";
import { findConfigFolders } from "./workspace.js";

/** What a command has to work with. */
export interface Context {
  options: CommandOptions;
  io: Io;
  version: string;
}

/** What became of a command. */
export interface Outcome {
  status: Review["status"];
  /** The report. */
  text: string;
  /** Whether an app could not be compiled or compared. */
  failed: boolean;
  /** What to do about it, beside the report. */
  hint?: string;
}

/** Carries out a command for one app. */
export async function reviewApp(context: Context): Promise<Outcome> {
  const { options, io } = context;
  const app = findApp(io.cwd, options.root, options.config);
  const review = await reviewOne(app, context);
  const isHintWanted = options.command === "check" && options.format === "human" && review.stale;
  return {
    status: review.status,
    text: review.render(renderOptions(context, app.root)),
    failed: false,
    ...(isHintWanted && { hint: "Run `agent-surface snapshot`, and commit the file with the change." }),
  };
}

/** Carries out a command for every app of a workspace, and goes on where one fails. */
export async function reviewApps(context: Context): Promise<Outcome> {
  const { options, io } = context;
  const { root } = findFolder(io.cwd, options.root);
  const workspace = reviewWorkspace(options.command);
  let apps = 0;
  let failed = false;
  for (const folder of findConfigFolders(root)) {
    const name = folder === "" ? "." : folder;
    try {
      // oxlint-disable-next-line no-await-in-loop
      workspace.add(name, await reviewOne(findApp(root, name), context));
      apps++;
    } catch (error) {
      // Another Vite project.
      if (error instanceof PluginFailure) continue;
      workspace.addFailure(name, describe(error));
      apps++;
      failed = true;
    }
  }
  if (apps === 0) {
    throw new Failure(`no app below ${options.root} has agentSurface() in the plugins of its Vite config`);
  }
  return { status: workspace.status, text: workspace.render(renderOptions(context, root)), failed };
}

async function reviewOne(app: App, context: Context): Promise<Review> {
  const { options, io } = context;
  const { command, base, policy, targets, allow, capability } = options;
  const snapshot = locateSnapshot(app.root, options.snapshot);
  const readContracts = () => ({
    text: command === "snapshot" ? undefined : readSnapshot(snapshot),
    compared: base === undefined ? undefined : readBase(app.root, base, snapshot),
  });
  // What needs no compiler first: a wrong ref should not take seconds to be told. Of a workspace only the compiler knows
  // whether a folder is an app.
  const known = options.workspace ? undefined : readContracts();
  const proven = await new Progress(io.stderr).during(`reading the modules of ${app.name} …`, () =>
    compileApp(app, { targets, allow, ...(capability !== undefined && { explain: capability }) }),
  );
  const { text, compared } = known ?? readContracts();
  if (capability !== undefined && proven.every(({ explanations }) => explanations.length === 0)) {
    throw new Failure(`${app.name} has no capability ${capability}${suggest(capability, proven)}`);
  }
  const review = reviewContract({
    command,
    compiled: proven.map(({ manifestText, capabilities, explanations, warnings }) => ({
      manifest: manifestText,
      capabilities,
      explanations,
      warnings,
    })),
    snapshotPath: snapshot.name,
    ...(text !== undefined && { snapshot: text }),
    ...(compared !== undefined && { base: compared }),
    policy,
  });
  if (command === "snapshot") writeSnapshot(snapshot, review.contractText);
  return review;
}

/** The capabilities that have a part of their name in common with one that there is not. */
function suggest(capability: string, proven: readonly ProvenContract[]): string {
  const name = capability.split(/[.:]/).at(-1) ?? capability;
  const ids = proven.flatMap(({ capabilities }) => capabilities.map(({ capabilityId }) => capabilityId));
  const near = [...new Set(ids)].filter((id) => id.includes(name)).slice(0, 3);
  return near.length === 0 ? "; `agent-surface inspect` lists all" : `; did you mean ${near.join(" or ")}?`;
}

function renderOptions({ options, io, version }: Context, root: string): RenderOptions {
  const { format, verbosity, plain } = options;
  const width = plain ? undefined : widthOf(io.stdout);
  const needsPrefix = format === "github" || format === "sarif";
  return {
    format,
    verbosity,
    color: !plain && wantsColor(io.stdout, io.env),
    ...(width !== undefined && { width }),
    prefix: needsPrefix ? prefixOf(root) : "",
    version,
  };
}
