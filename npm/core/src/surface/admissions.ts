import { AgentSurfaceDefinitionError } from "../errors.js";
import type { ComponentInput } from "../kernel/input.js";
import type { KernelRegistry } from "../kernel/registry.js";
import type { ComponentKey } from "../kernel/words.js";

/** How many shapes of one type are kept. Mounts of one component usually have one; conditional policies make a few. */
const CAPACITY = 8;

interface Admission {
  readonly input: ComponentInput;
  readonly component: ComponentKey;
}

/**
 * The components that the kernel has admitted. A list of a thousand rows is a thousand registrations of one
 * component: it is checked once.
 */
export class Admissions {
  readonly #kernel: KernelRegistry;
  /** By type, the latest last. */
  readonly #byType = new Map<string, Admission[]>();

  constructor(kernel: KernelRegistry) {
    this.#kernel = kernel;
  }

  /** @throws AgentSurfaceDefinitionError for what the kernel refuses */
  admit(input: ComponentInput): ComponentKey {
    let known = this.#byType.get(input.type);
    const found = known?.find((admission) => isSame(admission.input, input));
    if (found !== undefined) return found.component;
    const component = this.#kernel.admit(input);
    if (typeof component !== "number")
      throw new AgentSurfaceDefinitionError(component.code, component.message);
    if (known === undefined) this.#byType.set(input.type, (known = []));
    known.push({ input, component });
    const oldest = known.length > CAPACITY ? known.shift() : undefined;
    if (oldest !== undefined) this.#kernel.release(oldest.component);
    return component;
  }
}

/** Whether two inputs say the same. Their parts are plain data, and texts and proofs are usually the very same. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Map || b instanceof Map || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  // Arrays are compared as the records that they are. This runs for every mount, so it makes no lists of keys;
  // what a prototype has, both have.
  let members = 0;
  for (const key in left) {
    if (!isSame(left[key], right[key])) return false;
    members += 1;
  }
  for (const _ in right) members -= 1;
  return members === 0;
}
