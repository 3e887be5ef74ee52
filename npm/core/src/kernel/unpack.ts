/** Bytes as text: see `crates/xtask/src/wasm/embed.rs`, which packs them. */
export interface Packed {
  /** How many bytes there are. */
  readonly length: number;
  /** How many characters of the alphabet, from its first, begin a code of two. */
  readonly prefixes: number;
  /** The characters of the code. */
  readonly alphabet: string;
  /** All 256 bytes in hexadecimal, in the order of their codes. */
  readonly bytes: string;
  /** The bytes' codes, one after another. */
  readonly code: string;
}

/** The bytes. */
export function unpack({ length, prefixes, alphabet, bytes, code }: Packed): Uint8Array<ArrayBuffer> {
  const digit = new Uint8Array(128);
  for (let i = 0; i < alphabet.length; i++) digit[alphabet.charCodeAt(i)] = i;
  const byteOf = Uint8Array.from({ length: bytes.length / 2 }, (_, i) =>
    Number.parseInt(bytes.slice(2 * i, 2 * i + 2), 16),
  );
  const singles = alphabet.length - prefixes;
  const unpacked = new Uint8Array(length);
  for (let at = 0, i = 0; at < length; at++) {
    const first = digit[code.charCodeAt(i++)] ?? 0;
    const index =
      first >= prefixes
        ? first - prefixes
        : singles + first * alphabet.length + (digit[code.charCodeAt(i++)] ?? 0);
    unpacked[at] = byteOf[index] ?? 0;
  }
  return unpacked;
}
