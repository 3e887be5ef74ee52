/** What a component says of one of its capabilities: that it can be used, or why not. */
export type Availability = true | string;

/**
 * What a component says of a capability now, by the registry's own rule: only `false` means that it can't be used, and
 * one whose `when` throws can't either. `undefined` where it has no `when`.
 */
export function readAvailability(
  capability: { when?: () => boolean; unavailableReason?: string | (() => string) } | undefined,
): Availability | undefined {
  const { when, unavailableReason: reason } = capability ?? {};
  if (when === undefined) return undefined;
  try {
    if (when() !== false) return true;
  } catch {
    // The registry asks once more, and tells developers.
  }
  try {
    return String((typeof reason === "function" ? reason() : reason) ?? UNEXPLAINED);
  } catch {
    return UNEXPLAINED;
  }
}

const UNEXPLAINED = "Currently unavailable";
