type Cell = string | number | Date | null;

/** Renders rows of one shape in columns, one row a line. */
export function table(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => text(row[name] ?? null)))];
  const widths = names.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
  return lines
    .map((cells) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function text(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  return cell instanceof Date ? cell.toISOString() : String(cell);
}
