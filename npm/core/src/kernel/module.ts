/** What the kernel asks of its host. The table of these is in `crates/wasm-binding/src/lib.rs`. */
export interface Imports {
  reply(address: number, length: number): void;
  reply_numbers(address: number, length: number): void;
  pattern_matches(pattern: number, patternLength: number, text: number, length: number): number;
  number_parse(address: number, length: number): number;
  number_print(value: number, address: number): number;
}

/** What the kernel does for its host, on the same page. */
export interface Exports {
  /** Read `buffer` anew after each call: where memory grows, it is another one. */
  readonly memory: { readonly buffer: ArrayBuffer };
  alloc(length: number): number;
  scratch(length: number): number;
  answer(call: number, handle: number, key: number, now: number, length: number): number;
  schema_open(address: number, length: number): number;
  schema_validate(handle: number, address: number, length: number): number;
  schema_close(handle: number): void;
}

/** Makes an instance of the kernel. Every build of it has this shape, so that the rest need not know which it is. */
export type Instantiate = (env: Imports) => Exports;
