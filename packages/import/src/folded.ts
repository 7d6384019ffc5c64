/**
 * Changes case like PostgreSQL's `upper` and `lower`: a letter whose other case has two letters, such as `ß`, stays.
 */
export const folded = (text: string, how: 'toUpperCase' | 'toLowerCase'): string =>
  Array.from(text, (letter) => {
    const other = letter[how]();
    return Array.from(other).length === 1 ? other : letter;
  }).join('');
