import type { TemplateKind } from '../../schema/lists.ts';
import { placeholdersOf } from './placeholders.ts';

const place = /\{\{\s*([a-z-]+)\s*\}\}/g;

/** The names of the placeholders in a text, as often as they stand there. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(place)].map(([, name = '']) => name);

/**
 * Returns the wrong placeholders of a template's text: those that the kind doesn't have, as they stand in the text,
 * and braces that begin none.
 */
export const unknownPlaceholders = (text: string, kind: TemplateKind): string[] =>
  misplaced(text, placeholdersOf(kind));

/** Returns the wrong placeholders of a text that may have `known` ones. */
export function misplaced(text: string, known: readonly string[]): string[] {
  const unknown = [...text.matchAll(place)].flatMap(([written, name = '']) =>
    known.includes(name) ? [] : [written],
  );
  const malformed = text.replace(place, ' ').match(/\{\{.{0,30}/g) ?? [];
  return [...new Set([...unknown, ...malformed])];
}

/**
 * A text with its placeholders filled in, each once: a value that looks like one stays as it is, and so
 * does a placeholder without a value. A line is left out where all of its placeholders, be it one, are
 * empty; blank lines don't come in rows, nor first or last.
 * @param values texts, put in as they are
 */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  const valueOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return text
    .split(/\r\n?|\n/)
    .filter((line) => {
      const names = namesIn(line);
      return names.length === 0 || names.some((name) => valueOf(name) !== '');
    })
    .map((line) => line.replace(place, (written, name: string) => valueOf(name) ?? written))
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}
