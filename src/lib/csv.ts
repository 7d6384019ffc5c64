/** What a spreadsheet takes for a formula; behind apostrophes too, so that taking one away is exact. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A value as a cell of RFC 4180: none is empty, lists and objects are JSON. A text that a spreadsheet would run as
 * a formula is kept from it by an apostrophe.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a CSV file, with its end. */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map(csvCell).join(',')}\r\n`;
