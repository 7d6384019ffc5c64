import type { TemplateKind } from '../../schema/lists.ts';
import { placeholdersOf } from './placeholders.ts';

const place = /\{\{\s*([a-z-]+)\s*\}\}/g;

/** Repeats a name as often as it occurs. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(place)].map(([, name = '']) => name);

/** Returns wrong placeholders as written: names that the kind doesn't have, and braces that begin none. */
export const unknownPlaceholders = (text: string, kind: TemplateKind): string[] =>
  misplaced(text, placeholdersOf(kind));

/** Like `unknownPlaceholders`, for a list of known names. */
export function misplaced(text: string, known: readonly string[]): string[] {
  const unknown = [...text.matchAll(place)].flatMap(([written, name = '']) =>
    known.includes(name) ? [] : [written],
  );
  const malformed = text.replace(place, ' ').match(/\{\{.{0,30}/g) ?? [];
  return [...new Set([...unknown, ...malformed])];
}

/**
 * Fills in placeholders once: a value that looks like a placeholder stays unchanged, and so does a placeholder without
 * a value. A line whose placeholders are all empty is left out. Blank lines are merged, and removed at the start and
 * the end.
 * @param values inserted without escaping
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
