import { type Code, type Coded, unpack } from "./unpack.js";

/** A module, taken apart into streams of like things: see `crates/xtask/src/wasm/streams.rs`. */
export interface Packed extends Code {
  /** How many bytes the module has. */
  readonly length: number;
  /** How many bytes of the frame stand before the functions. */
  readonly before: number;
  /** How many functions there are. */
  readonly functions: number;
  /** The streams in the order of their numbers. */
  readonly streams: readonly Coded[];
}

/** How instructions begin that are alike in all but their operands. */
interface Head {
  readonly bytes: Uint8Array;
  readonly opcode: number;
  readonly operands: number;
  /** What the operands are read from. */
  readonly from: Reader;
}

/** The numbers of the streams that are more than operands. */
const FRAME = 0;
const TABLE = 1;
const HEADS = 2;
const DECLARATIONS = 3;
const LOCALS = 4;
const CONSTANTS = 5;
const DISTANCES = 6;

/** The most bytes that the length of a function takes. */
const MAX_LENGTH = 5;

/** The module's bytes. */
export function assemble(packed: Packed): Uint8Array<ArrayBuffer> {
  const streams = packed.streams.map((stream) => new Reader(unpack(packed, stream)));
  const stream = (number: number): Reader => streams[number] ?? NOTHING;
  const [frame, table, numbers] = [stream(FRAME), stream(TABLE), stream(HEADS)];
  const [declarations, locals] = [stream(DECLARATIONS), stream(LOCALS)];
  const [constants, distances] = [stream(CONSTANTS), stream(DISTANCES)];
  const module = new Writer(packed.length + MAX_LENGTH);

  // A head of no bytes ends the table.
  const heads: Head[] = [];
  for (let length = table.number(); length > 0; length = table.number()) {
    const bytes = Uint8Array.from({ length }, () => table.byte());
    const operands = table.number();
    heads.push({ bytes, opcode: bytes[0] ?? 0, operands, from: stream(table.number()) });
  }

  module.copy(frame, packed.before);
  let head = heads[numbers.number()] ?? END;
  for (let i = 0; i < packed.functions; i++) {
    const start = module.at;
    // Its length is known when it has been written; until then the function stands a bit too far back.
    module.at += MAX_LENGTH;
    const groups = declarations.number();
    module.number(groups);
    for (let j = 0; j < 2 * groups; j++) module.copyNumber(declarations);
    const recent: number[] = [];
    for (let depth = 1; depth > 0;) {
      const { bytes, opcode, operands, from } = head;
      if (opcode === 0x0b) depth--;
      else if (opcode >= 2 && opcode <= 4) depth++;
      module.write(bytes);
      head = heads[numbers.number()] ?? END;
      if (from === locals) {
        module.number(recall(recent, locals.number()));
      } else if (from === constants && operands > 0) {
        // Before `i32.add` and `i32.sub`.
        module.copyNumber(head.opcode === 0x6a || head.opcode === 0x6b ? distances : constants);
      } else {
        for (let j = 0; j < operands; j++) module.copyNumber(from);
      }
    }
    module.shorten(start);
  }
  module.copy(frame, packed.length - module.at);
  return module.bytes.subarray(0, packed.length);
}

/** The variable at a place among those of a function, which is the first from then on. */
function recall(recent: number[], rank: number): number {
  while (recent.length <= rank) recent.push(recent.length);
  const local = recent[rank] ?? 0;
  // An array's own `copyWithin` takes ten times as long.
  for (let i = rank; i > 0; i--) recent[i] = recent[i - 1] ?? 0;
  recent[0] = local;
  return local;
}

/** Reads a stream. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  /** A LEB128 number. */
  number(): number {
    let value = 0;
    for (let shift = 0, byte = 0x80; byte > 0x7f; shift += 7) {
      byte = this.byte();
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}

/** Writes the module. */
class Writer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }

  write(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) this.bytes[this.at++] = bytes[i] ?? 0;
  }

  copy(from: Reader, length: number): void {
    for (let i = 0; i < length; i++) this.bytes[this.at++] = from.byte();
  }

  number(number: number): void {
    for (; number > 0x7f; number >>>= 7) this.bytes[this.at++] = number | 0x80;
    this.bytes[this.at++] = number;
  }

  copyNumber(from: Reader): void {
    let byte;
    do this.bytes[this.at++] = byte = from.byte();
    while (byte > 0x7f);
  }

  /** Puts the length before what has been written since `start`, where it was left room for. */
  shorten(start: number): void {
    const [from, end] = [start + MAX_LENGTH, this.at];
    this.at = start;
    this.number(end - from);
    this.bytes.copyWithin(this.at, from, end);
    this.at += end - from;
  }
}

const NOTHING = new Reader(new Uint8Array());
const END: Head = { bytes: Uint8Array.of(0x0b), opcode: 0x0b, operands: 0, from: NOTHING };
