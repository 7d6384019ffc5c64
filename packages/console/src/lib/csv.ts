/** A CSV cell for spreadsheets, escaped so that it is never a formula. */
const cellOf = (value: string | number): string =>
  typeof value === 'number'
    ? String(value)
    : `"${value.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
