/** Signs that begin a formula. Spreadsheets skip a tab before them. */
const signs = String.raw`=+\-@\t＝＋－＠`;

/**
 * Places in a text where a formula may begin: the start of the text, and the starts of cells for spreadsheets that use
 * other separators or ignore quotes. Behind `;`, `|`, a tab or a line end, quotes are skipped: doubled, they open and
 * close a cell there. Apostrophes are skipped too, so that removing one restores the text.
 */
const formulas = new RegExp(
  String.raw`^(?='*[${signs}\r\n])|(?<=,)(?='*[${signs}])|(?<=[;|\t\r\n])(?=["']*[${signs}])`,
  'g',
);

/**
 * Renders a value as a cell of RFC 4180. Null is empty; lists and objects are JSON. An apostrophe goes before every
 * formula in the text, so that no spreadsheet runs it.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replace(formulas, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (values: readonly unknown[]): string =>
  `${values.map(csvCell).join(',')}\r\n`;
