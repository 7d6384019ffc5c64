/** Signs that make a formula of a cell, and a tab, which spreadsheets skip before them. */
const signs = String.raw`=+\-@\t＝＋－＠`;

/**
 * Places in a text where a cell may begin with a formula: its start, and after separators of spreadsheets in some
 * regions or that ignore quotes. Quotes behind `;`, `|`, a tab or a line end are skipped as well: doubled, they open
 * and close a cell there. Apostrophes are skipped too, so that removing one restores the text.
 */
const formulas = new RegExp(
  String.raw`^(?='*[${signs}\r\n])|(?<=,)(?='*[${signs}])|(?<=[;|\t\r\n])(?=["']*[${signs}])`,
  'g',
);

/**
 * Renders a value as a cell of RFC 4180: null is empty, lists and objects are JSON. An apostrophe goes before anything
 * that a spreadsheet would run as a formula, anywhere in the text.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replace(formulas, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Renders a line of a CSV file, with its end. */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map(csvCell).join(',')}\r\n`;
