/** @param {readonly number[]} values At least one. */
export function median(values) {
  const sorted = [...values];
  sorted.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** @param {number} value In milliseconds. */
export function milliseconds(value) {
  return value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;
}

/** Least and greatest. @param {readonly number[]} values */
export function spread(values, print = milliseconds) {
  return `${print(Math.min(...values))} – ${print(Math.max(...values))}`;
}

/** @param {number} value In bytes. */
export function megabytes(value) {
  return `${(value / 1e6).toFixed(1)} MB`;
}

/** @param {number} share */
export function percent(share) {
  return `${share >= 0 ? "+" : ""}${(share * 100).toFixed(1)} %`;
}
