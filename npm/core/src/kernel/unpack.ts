/** Bytes as text: see `crates/xtask/src/wasm/embed.rs`, which packs them. */
export interface Code {
  /** The characters of the code. */
  readonly alphabet: string;
  /** How many characters of the alphabet, from its first, begin a code of two. */
  readonly prefixes: number;
}

/** A text of that code. */
export interface Coded {
  /** The bytes with the first codes, in hexadecimal; the others follow in their order. */
  readonly first: string;
  /** The bytes' codes, one after another. */
  readonly code: string;
}

/** The bytes of a text. */
export function unpack({ alphabet, prefixes }: Code, { first, code }: Coded): Uint8Array<ArrayBuffer> {
  const digit = new Uint8Array(128);
  for (let i = 0; i < alphabet.length; i++) digit[alphabet.charCodeAt(i)] = i;
  const chosen = Array.from({ length: first.length / 2 }, (_, i) =>
    Number.parseInt(first.slice(2 * i, 2 * i + 2), 16),
  );
  const byteOf = [...new Set([...chosen, ...Array(256).keys()])];
  const singles = alphabet.length - prefixes;
  const unpacked = new Uint8Array(code.length);
  let length = 0;
  for (let i = 0; i < code.length;) {
    const one = digit[code.charCodeAt(i++)] ?? 0;
    const index =
      one >= prefixes ? one - prefixes : singles + one * alphabet.length + (digit[code.charCodeAt(i++)] ?? 0);
    unpacked[length++] = byteOf[index] ?? 0;
  }
  return unpacked.subarray(0, length);
}
