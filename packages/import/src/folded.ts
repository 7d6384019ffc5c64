/**
 * Changes the case of a text like PostgreSQL's `upper` and `lower`: letter by letter, if the result is one letter. `ß`
 * has no single capital.
 */
export const folded = (text: string, how: 'toUpperCase' | 'toLowerCase'): string =>
  Array.from(text, (letter) => {
    const other = letter[how]();
    return Array.from(other).length === 1 ? other : letter;
  }).join('');
