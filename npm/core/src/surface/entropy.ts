/**
 * 32 bytes that nobody can guess: the ids of a surface come from them.
 *
 * @throws Error where the host has no source of such bytes; every browser, Node and worker has one
 */
export function entropy(): Uint8Array {
  const source = (globalThis as { crypto?: Crypto }).crypto;
  if (typeof source?.getRandomValues !== "function") {
    throw new Error("a registry needs crypto.getRandomValues(), which this JavaScript host does not have");
  }
  return source.getRandomValues(new Uint8Array(32));
}
