/** Signs that make a formula of a cell, and a tab, which spreadsheets skip before them. */
const signs = String.raw`=+\-@\t＝＋－＠`;

/**
 * Places of a text where a cell may begin with a formula: its start, and behind what spreadsheets of some regions, or
 * those that ignore quotes, separate by. Quotes behind `;`, `|`, a tab or a line end are skipped as well: doubled, they
 * open and close a cell there. Apostrophes are skipped too, so that taking one away is exact.
 */
const formulas = new RegExp(
  String.raw`^(?='*[${signs}\r\n])|(?<=,)(?='*[${signs}])|(?<=[;|\t\r\n])(?=["']*[${signs}])`,
  'g',
);

/**
 * A value as a cell of RFC 4180: none is empty, lists and objects are JSON. What a spreadsheet would
 * run as a formula, anywhere in a text, has an apostrophe before it.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replace(formulas, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a CSV file, with its end. */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map(csvCell).join(',')}\r\n`;
