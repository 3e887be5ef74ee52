import { Call } from "./calls.js";
import * as frame from "./frames.js";
import type { RegistryInput } from "./input.js";
import type { Exports, Imports, Instantiate } from "./module.js";
import { PatternCache } from "./patterns.js";
import type { DefinitionRefusal, KernelRegistry } from "./registry.js";
import type { KernelRuntime, MetaTool, Refusal, ToolInput } from "./runtime.js";
import { Surface } from "./surface.js";
import type { JsonSchema } from "../types.js";
import type { AuthorityKey, JsonText, Millis } from "./words.js";

/** One reason why a value does not satisfy a schema. */
export interface Issue {
  path: string;
  message: string;
}

/** How many bytes are taken for the texts of calls, at first. */
const MIN_SCRATCH = 4096;

const NO_NUMBERS = new Int32Array(0);

/**
 * One instance of the kernel.
 *
 * Once a call has failed in a way that the kernel does not answer for (a trap, or no memory left), its memory
 * may be half changed. No later call is let in; each throws the same error, and whoever has a registry is told.
 */
export class Kernel implements KernelRuntime {
  readonly #exports: Exports;
  readonly #patterns = new PatternCache();
  readonly #encoder = new TextEncoder();
  // A byte order mark is a character of the text, not a mark of the stream.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** Whom to tell of a failure, by registry. */
  readonly #mourners = new Map<number, (error: Error) => void>();
  #scratch = new Uint8Array(0);
  #reply = "";
  #numbers = NO_NUMBERS;
  #answering = false;
  #failure: Error | undefined;

  constructor(instantiate: Instantiate) {
    this.#exports = instantiate(this.#imports());
  }

  /** Opens a schema for {@link validate}; whoever opens it closes it. */
  openSchema(text: string): number | Refusal {
    const handle = this.#call((exports) => exports.schema_open(...this.#send(text)));
    return handle === 0 ? (this.takeReply() as Refusal) : handle >>> 0;
  }

  /** Holds a value against an open schema. */
  validate(schema: number, text: string): Issue[] {
    const invalid = this.#call((exports) => exports.schema_validate(schema, ...this.#send(text)));
    return invalid === 0 ? [] : (this.takeReply() as Issue[]);
  }

  /** Closes a schema. A kernel that has failed has nothing to close. */
  closeSchema(schema: number): void {
    if (!this.#failure) this.#call((exports) => exports.schema_close(schema));
  }

  openAuthority(manifest: JsonText): AuthorityKey | Refusal {
    const authority = this.answer(Call.OpenAuthority, 0, 0, 0, manifest);
    return authority === 0 ? (this.takeReply() as Refusal) : authority;
  }

  closeAuthority(authority: AuthorityKey): void {
    if (!this.#failure) this.answer(Call.CloseAuthority, authority);
  }

  checkTool(authority: AuthorityKey, tool: ToolInput): DefinitionRefusal | undefined {
    const written =
      frame.text(tool.id) +
      frame.text(tool.description) +
      frame.optional(tool.inputSchema) +
      frame.proof(tool.proof);
    this.answer(Call.CheckTool, authority, 0, 0, written);
    return this.takeReply() as DefinitionRefusal | undefined;
  }

  openRegistry(
    authority: AuthorityKey,
    input: RegistryInput,
    onFailure: (error: Error) => void,
  ): KernelRegistry {
    const handle = this.answer(Call.Open, authority, 0, 0, frame.registry(input));
    this.#mourners.set(handle, onFailure);
    return new Surface(this, handle, this.takeReply() as string);
  }

  encodeWireName(capabilityId: string): string {
    this.answer(Call.EncodeWireName, 0, 0, 0, capabilityId);
    return this.takeReply() as string;
  }

  decodeWireName(name: string): string | undefined {
    this.answer(Call.DecodeWireName, 0, 0, 0, name);
    return this.takeReply() as string | undefined;
  }

  reduceSchema(
    schema: JsonText,
    bound: readonly string[],
    overridable: readonly string[],
  ): JsonSchema | undefined {
    const written = frame.text(schema) + frame.texts(bound) + frame.texts(overridable);
    this.answer(Call.Reduce, 0, 0, 0, written);
    return this.takeReply() as JsonSchema | undefined;
  }

  metaTools(): MetaTool[] {
    this.answer(Call.MetaTools, 0);
    return this.takeReply() as MetaTool[];
  }

  /** Gives the memory of a registry back. A kernel that has failed has none to give. */
  free(handle: number): void {
    this.#mourners.delete(handle);
    if (!this.#failure) this.answer(Call.Free, handle);
  }

  /**
   * One call at the kernel's desk; {@link takeReply} and {@link takeNumbers} have what it replied.
   *
   * JavaScript that the kernel runs meanwhile (a page's own `RegExp.prototype.exec`) is not let in again: the
   * kernel is in the middle of a decision.
   */
  answer(call: number, handle: number, key = 0, now: Millis = 0, text = ""): number {
    if (this.#failure) throw this.#failure;
    if (this.#answering) {
      throw new Error("The agent-surface kernel was called from within one of its own calls.");
    }
    this.#answering = true;
    try {
      return this.#exports.answer(call, handle, key, now, text === "" ? 0 : this.#write(text));
    } catch (cause) {
      throw this.#fail(cause);
    } finally {
      this.#answering = false;
    }
  }

  /** What the last call replied, once. */
  takeReply(): unknown {
    const reply = this.#reply;
    if (reply === "") return undefined;
    this.#reply = "";
    return JSON.parse(reply);
  }

  /** The numbers that the last call replied, once. */
  takeNumbers(): Int32Array {
    const numbers = this.#numbers;
    this.#numbers = NO_NUMBERS;
    return numbers;
  }

  #call<T>(run: (exports: Exports) => T): T {
    if (this.#failure) throw this.#failure;
    try {
      return run(this.#exports);
    } catch (cause) {
      throw this.#fail(cause);
    }
  }

  /** Lets no later call in, and tells everyone who waits for an answer that none will come. */
  #fail(cause: unknown): Error {
    const failure = new Error(
      "The agent-surface kernel has failed and takes no more calls; reload the page. This is a defect of " +
        "@agent-surface/core, please report it.",
      { cause },
    );
    this.#failure = failure;
    const mourners = [...this.#mourners.values()];
    this.#mourners.clear();
    for (const tell of mourners) {
      try {
        tell(failure);
      } catch {
        // The others are to be told as well, and the caller gets the failure itself.
      }
    }
    return failure;
  }

  /** Writes the text of a call at the desk, and returns how many bytes it takes. */
  #write(text: string): number {
    // The most that a UTF-16 code unit becomes.
    const length = text.length * 3;
    // Where memory grows, it is another buffer.
    if (this.#scratch.length < length || this.#scratch.buffer !== this.#exports.memory.buffer) {
      const room = Math.max(length, this.#scratch.length, MIN_SCRATCH);
      const address = this.#exports.scratch(room) >>> 0;
      this.#scratch = new Uint8Array(this.#exports.memory.buffer, address, room);
    }
    return this.#encoder.encodeInto(text, this.#scratch).written;
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

  #imports(): Imports {
    return {
      reply: (address, length) => {
        this.#reply = this.#read(address, length);
      },
      reply_numbers: (address, length) => {
        this.#numbers = new Int32Array(this.#exports.memory.buffer, address >>> 0, length >>> 0).slice();
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
