import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "./app.js";

/** The part of a bundler's watcher that is used here. */
export interface Watcher {
  on(
    event: "event",
    listener: (event: { code: string; result?: { close(): unknown }; error?: Error }) => void,
  ): void;
  close(): Promise<void>;
}

/** The builds of watchers in turn, whether or not somebody waits when they end. */
export class BuildEnds {
  #ended: string[] = [];
  #signal = new EventTarget();

  constructor(...watchers: readonly Watcher[]) {
    for (const watcher of watchers) this.follow(watcher);
  }

  follow(watcher: Watcher): void {
    watcher.on("event", ({ code, result }) => {
      if (code !== "BUNDLE_END" && code !== "ERROR") return;
      void result?.close();
      this.#ended.push(code);
      this.#signal.dispatchEvent(new Event("end"));
    });
  }

  async next(): Promise<string> {
    if (this.#ended.length === 0) await once(this.#signal, "end");
    return this.#ended.shift() ?? this.next();
  }
}

/** The texts of the scripts and contracts in a folder; none where there is no folder. */
export function readFiles(folder: string): Files {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.js(?:on)?$/.test(name)) : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
