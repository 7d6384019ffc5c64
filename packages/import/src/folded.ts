/**
 * Changes the case of a text as PostgreSQL's `upper` and `lower` do: letter by letter, where that leaves one letter. `ß`
 * has no capital of one.
 */
export const folded = (text: string, how: 'toUpperCase' | 'toLowerCase'): string =>
  Array.from(text, (letter) => {
    const other = letter[how]();
    return Array.from(other).length === 1 ? other : letter;
  }).join('');
