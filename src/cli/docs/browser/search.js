// The search of the documentation, which loads with the first use of its field.

/** The words of a text, as they are compared. */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** Rates an entry for the words that were typed; 0 if one of them is missing. */
function score({ title, place, text }, typed) {
  const names = `${title} ${place}`.toLowerCase();
  const named = wordsOf(names);
  const rest = text.toLowerCase();
  let sum = 0;
  for (const word of typed) {
    if (named.includes(word)) sum += 8;
    else if (named.some((name) => name.startsWith(word))) sum += 5;
    else if (names.includes(word)) sum += 3;
    else if (rest.includes(word)) sum += 1;
    else return 0;
  }
  // Of two entries with the same words, the one with the shorter title ranks higher.
  return sum + 1 / (1 + title.length);
}

/** Tells if an entry has names such as `since_id` and `If-Match` as they were typed, not only their words. */
function hasExactly({ title, place, text }, typed) {
  const all = `${title} ${place} ${text}`.toLowerCase();
  return typed
    .toLowerCase()
    .match(/\S+/g)
    .every((name) => all.includes(name));
}

const operation =
  /^(GET|POST|PUT|PATCH|DELETE) ((?:\S*?\/v1)?(\/\S+)) Operation (\w+)(?:; in TypeScript (?:client\.)?([\w.]+))?/;

/** Tells if an entry is the operation with the typed path, id or call. A path may lack its prefix. */
function isNamed({ text }, typed) {
  const [, method, path, short, ...names] = operation.exec(text) ?? [];
  return [path, short, `${method} ${path}`, `${method} ${short}`, ...names].some(
    (name) => name?.toLowerCase() === typed.trim().toLowerCase(),
  );
}

/** The entries for a typed text, the best first. */
export function find(entries, text) {
  const typed = wordsOf(text);
  if (typed.length === 0) return [];
  return entries
    .map((entry) => ({
      entry,
      points: score(entry, typed),
      exactness: Number(hasExactly(entry, text)) + Number(isNamed(entry, text)),
    }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.exactness - one.exactness || other.points - one.points)
    .slice(0, 12)
    .map(({ entry }) => entry);
}
