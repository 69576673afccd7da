// Rows of cells in, aligned lines out.

/** Columns as wide as their widest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[], indent = ''): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    (row) =>
      indent +
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
  );
}
