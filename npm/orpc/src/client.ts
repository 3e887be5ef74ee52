/** A procedure as a client has it. */
export type ClientProcedure = (input: never, options?: never) => Promise<unknown>;

/**
 * A client: procedures in records of records. That of oRPC is a proxy which is a function at every level, has no
 * members of its own, and gives a procedure for whatever path it is asked for.
 */
export interface ClientTree {
  [key: string]: ClientProcedure | ClientTree;
}

/** A procedure by the names that lead to it, to be called with an input and oRPC's options; `undefined` for none. */
export function findProcedure(
  client: object,
  steps: readonly string[],
): ((input: unknown, options: object) => Promise<unknown>) | undefined {
  let node: unknown = client;
  for (const step of steps) {
    if ((typeof node !== "object" && typeof node !== "function") || node === null) return undefined;
    // What every object inherits is no procedure of a client.
    if (step in Object.prototype) return undefined;
    node = (node as Record<string, unknown>)[step];
  }
  return typeof node === "function"
    ? (node as (input: unknown, options: object) => Promise<unknown>)
    : undefined;
}
