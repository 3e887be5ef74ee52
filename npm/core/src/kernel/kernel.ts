import type { AgentSurfaceDefinitionErrorCode } from "../errors.js";
import type { Exports, Imports, Instantiate } from "./module.js";
import { PatternCache } from "./patterns.js";

/** What the kernel does not accept, and why. */
export interface Refusal {
  code: AgentSurfaceDefinitionErrorCode;
  message: string;
}

/** One reason why a value does not satisfy a schema. */
export interface Issue {
  path: string;
  message: string;
}

/**
 * One instance of the kernel.
 *
 * Once a call has failed in a way that the kernel does not answer for (a trap, or no memory left), its memory
 * may be half changed. No later call is let in; each throws the same error.
 */
export class Kernel {
  readonly #exports: Exports;
  readonly #patterns = new PatternCache();
  readonly #encoder = new TextEncoder();
  // A byte order mark is a character of the text, not a mark of the stream.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #reply = "";
  #failure: Error | undefined;

  constructor(instantiate: Instantiate) {
    this.#exports = instantiate(this.#imports());
  }

  /** Verifies a manifest; nothing to say means that it holds. */
  verifyManifest(text: string): Refusal | undefined {
    const refused = this.#call((exports) => exports.verify_manifest(...this.#send(text)));
    return refused === 0 ? undefined : (this.#readReply() as Refusal);
  }

  /** Opens a schema for {@link validate}; whoever opens it closes it. */
  openSchema(text: string): number | Refusal {
    const handle = this.#call((exports) => exports.schema_open(...this.#send(text)));
    return handle === 0 ? (this.#readReply() as Refusal) : handle >>> 0;
  }

  /** Holds a value against an open schema. */
  validate(schema: number, text: string): Issue[] {
    const invalid = this.#call((exports) => exports.schema_validate(schema, ...this.#send(text)));
    return invalid === 0 ? [] : (this.#readReply() as Issue[]);
  }

  /** Closes a schema. A kernel that has failed has nothing to close. */
  closeSchema(schema: number): void {
    if (!this.#failure) this.#call((exports) => exports.schema_close(schema));
  }

  #call<T>(run: (exports: Exports) => T): T {
    if (this.#failure) throw this.#failure;
    try {
      return run(this.#exports);
    } catch (cause) {
      this.#failure = new Error(
        "The agent-surface kernel has failed and takes no more calls; reload the page. This is a defect of " +
          "@agent-surface/core, please report it.",
        { cause },
      );
      throw this.#failure;
    }
  }

  /** Writes a text where the next call will own it, and returns its place. */
  #send(text: string): [address: number, length: number] {
    const bytes = this.#encoder.encode(text);
    const address = this.#exports.alloc(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  #read(address: number, length: number): string {
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address >>> 0, length >>> 0));
  }

  #readReply(): unknown {
    const reply = this.#reply;
    this.#reply = "";
    return JSON.parse(reply);
  }

  #imports(): Imports {
    return {
      reply: (address, length) => {
        this.#reply = this.#read(address, length);
      },
      pattern_matches: (pattern, patternLength, text, length) =>
        this.#patterns.matches(this.#read(pattern, patternLength), this.#read(text, length)),
      number_parse: (address, length) => Number(this.#read(address, length)),
      number_print: (value, address) =>
        this.#encoder.encodeInto(
          String(value),
          new Uint8Array(this.#exports.memory.buffer, address >>> 0, 32),
        ).written,
    };
  }
}
