/** A WebAssembly module as text, and the module that makes it one again: see `crates/packing`, which writes both. */
export interface Packed {
  /** How many bytes the module has. */
  readonly length: number;
  /** The module, in ASCII. */
  readonly text: string;
  /** The module that unpacks it, in hexadecimal. */
  readonly unpacker: string;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  /** Unpacks the text at an address; the module goes right behind it. */
  unpack(address: number, length: number, moduleLength: number): void;
}

/** The size of a page of WebAssembly's memory, in bytes. */
const PAGE = 65_536;

/** The module's bytes. WebAssembly writes them: JavaScript that runs once is not compiled until it is over. */
export function unpack({ length, text, unpacker }: Packed): Uint8Array<ArrayBuffer> {
  const code = new Uint8Array(unpacker.length / 2);
  for (let i = 0; i < code.length; i++) code[i] = Number.parseInt(unpacker.slice(2 * i, 2 * i + 2), 16);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code));
  const exports = instance.exports as unknown as Exports;
  // Behind all that is its own.
  const address = exports.memory.buffer.byteLength;
  exports.memory.grow(Math.ceil((text.length + length) / PAGE));
  const bytes = new Uint8Array(exports.memory.buffer, address);
  new TextEncoder().encodeInto(text, bytes);
  exports.unpack(address, text.length, length);
  return bytes.subarray(text.length, text.length + length);
}
