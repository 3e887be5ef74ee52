/** Makes up Zod schemas whose JSON Schema lies inside the contract's subset, or is restated within it. */

/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** The first constants are small, and parts of others: a contract nests eight schemas deep at most. */
const PARTS = 4;

/** The source text of so many constants, `S0` and on: each an object with one to four properties. */
export function zodSchemas(seed: number, count: number): string[] {
  const author = new Author(dice(seed));
  return Array.from(
    { length: count },
    (_, at) => `export const S${at} = ${author.object(at < PARTS ? 1 : 3)};`,
  );
}

const FORMATS = ["email()", "uuid()", "url()", "iso.date()", "iso.datetime()", "ipv4()", "iso.time()"];

class Author {
  #roll: (sides: number) => number;

  constructor(roll: (sides: number) => number) {
    this.#roll = roll;
  }

  /** An object of one to four properties. */
  object(depth: number): string {
    const kind = this.#pick(["object", "object", "strictObject", "looseObject"]);
    const members = Array.from({ length: 1 + this.#roll(4) }, (_, at) => {
      const schema = this.#schema(depth - 1);
      return `${this.#name(at)}: ${schema}${this.#pick(["", "", ".optional()", ".nullable()", ".nullish()"])}`;
    });
    return `z.${kind}({ ${members.join(", ")} })${this.#check()}${this.#text()}`;
  }

  #schema(depth: number): string {
    if (depth <= 0) return this.#leaf();
    const inner = () => this.#schema(depth - 1);
    switch (this.#roll(9)) {
      case 0:
        return `z.array(${inner()})${this.#bounds()}${this.#text()}`;
      case 1:
        return this.object(depth);
      case 2:
        // Of what a property without a name has to be, a contract can only say: anything.
        return `z.record(z.string(), z.unknown())`;
      case 3:
        return `z.union([${inner()}, ${inner()}])`;
      case 4:
        return this.#discriminated(inner);
      case 5:
        return `S${this.#roll(PARTS)}`;
      default:
        return this.#leaf();
    }
  }

  /** Zod says `oneOf` of it. */
  #discriminated(inner: () => string): string {
    const branches = ["a", "b"].map((kind) => `z.object({ kind: z.literal("${kind}"), of: ${inner()} })`);
    return `z.discriminatedUnion("kind", [${branches.join(", ")}])`;
  }

  #leaf(): string {
    switch (this.#roll(9)) {
      case 0:
        return `z.string()${this.#bounds()}${this.#check()}${this.#text()}`;
      case 1:
        return `z.string().regex(/^[a-z]+-[0-9]{1,3}$/)${this.#text()}`;
      case 2:
        return `z.${this.#pick(FORMATS)}`;
      case 3:
        return `z.number()${this.#pick([".min(-1.5)", ".positive()", ".lt(1e21)", ".multipleOf(0.5)", ""])}`;
      case 4:
        return `z.int()${this.#bounds()}.default(${this.#roll(9)})`;
      case 5:
        return `z.boolean().default(${this.#pick(["true", "false"])})`;
      case 6:
        return `z.enum(["one", "two", "drei ✓"])${this.#pick(["", '.default("two")'])}`;
      case 7:
        return `z.literal(${this.#pick(['"x"', "1", "true", '["x", "y"]'])})`;
      default:
        return "z.null()";
    }
  }

  #name(at: number): string {
    return this.#pick([`p${at}`, `"${at}"`, `"with space ${at}"`, `"ü${at}"`]);
  }

  #bounds(): string {
    return this.#pick(["", ".min(1)", ".max(9)", ".min(0).max(9)"]);
  }

  /** A function that does not reach the JSON Schema. */
  #check(): string {
    return this.#pick(["", "", ".refine((value) => value !== undefined)"]);
  }

  #text(): string {
    return this.#pick(["", '.describe("What it is for")', '.meta({ title: "A title" })']);
  }

  #pick<T>(options: readonly T[]): T {
    return options[this.#roll(options.length)] as T;
  }
}
