/**
 * Prints rows under a header, in columns as wide as their widest cell. The last column is not padded, so it is
 * the place for text of any width; cells before it are taken to be one column per UTF-16 code unit.
 * @param {string[]} header
 * @param {string[][]} rows
 */
export function printTable(header, rows) {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    console.log(cells.join("  "));
  }
}
