/**
 * Fixes whatever a library could ask of the machine for a value that differs from one to the next: clock, time zone,
 * language, chance. A thread shares the first three with its process, so they are replaced here and not set.
 */
export function pin(): void {
  Math.random = () => 0.5;
  pinDate();
  pinLanguage();
}

const LANGUAGE = "en-US";
const ZONE = "UTC";

function pinDate(): void {
  const Original = Date;
  globalThis.Date = new Proxy(Original, {
    // Without an argument it is now.
    construct: (target, given: unknown[], self) =>
      Reflect.construct(target, given.length === 0 ? [0] : given, self) as object,
    apply: () => new Original(0).toUTCString(),
  });
  Original.now = () => 0;
  const dates = Original.prototype as unknown as Record<string, unknown>;
  const fields = ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"];
  for (const field of fields) {
    dates[`get${field}`] = dates[`getUTC${field}`];
    if (field !== "Day") dates[`set${field}`] = dates[`setUTC${field}`];
  }
  dates["getTimezoneOffset"] = () => 0;
  dates["toString"] = dates["toUTCString"];
}

function pinLanguage(): void {
  const intl = Intl as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const Original = intl[name];
    if (typeof Original !== "function" || Original.prototype === undefined) continue;
    intl[name] = new Proxy(Original as new (...given: unknown[]) => object, {
      construct: (target, given: unknown[], self) =>
        Reflect.construct(target, withDefaults(given, name === "DateTimeFormat"), self) as object,
      apply: (target, _self, given: unknown[]) =>
        Reflect.construct<unknown[], object>(target, withDefaults(given, name === "DateTimeFormat")),
    });
  }
  for (const prototype of [Date, Number, BigInt, Array, String].map((it) => it.prototype as object)) {
    const members = prototype as Record<string, unknown>;
    for (const name of Object.getOwnPropertyNames(prototype).filter((it) => it.startsWith("toLocale"))) {
      const original = members[name] as (...given: unknown[]) => unknown;
      members[name] = function pinned(this: unknown, ...given: unknown[]) {
        return original.apply(this, withDefaults(given, prototype === Date.prototype));
      };
    }
  }
  const strings = String.prototype as unknown as { localeCompare: (...given: unknown[]) => number };
  const compare = strings.localeCompare;
  strings.localeCompare = function pinned(this: unknown, other, language, options) {
    return compare.call(this, other, language ?? LANGUAGE, options);
  };
}

/** The arguments of a function that takes a language and options. */
function withDefaults([language, options, ...rest]: unknown[], hasZone: boolean): unknown[] {
  const zoned = hasZone ? { timeZone: ZONE, ...(options as object | undefined) } : options;
  return [language ?? LANGUAGE, zoned, ...rest];
}
