/** Parses PostgreSQL's text of a composite value, `(1,,"a ""word""",t)`, into the texts of its fields. */
export function compositeFields(text: string): (string | null)[] {
  const fields: (string | null)[] = [];
  let at = 0;
  // A parenthesis or a comma precedes each field.
  while (at < text.length - 1) {
    const start = at + 1;
    if (text[start] === '"') {
      const end = closingQuote(text, start);
      fields.push(unescaped(text.slice(start + 1, end)));
      at = end + 1;
    } else {
      const comma = text.indexOf(',', start);
      at = comma === -1 ? text.length - 1 : comma;
      fields.push(at === start ? null : text.slice(start, at));
    }
  }
  return fields;
}

/** Finds the end of the quote that opens at `start`; a doubled quote is part of the text. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}

const unescaped = (quoted: string): string =>
  /["\\]/.test(quoted) ? quoted.replaceAll('""', '"').replaceAll('\\\\', '\\') : quoted;
