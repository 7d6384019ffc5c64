/** A JSON token with the blanks before it: a text, a plain value, or punctuation. */
const token =
  /[ \t\n\r]*(?:("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9.])|true|false|null)|([{}[\],:]))/y;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

/**
 * Finds the line and column, from 1, of the first token that makes a text invalid JSON. Engines word their own errors
 * differently, and some give no position.
 */
export function syntaxErrorOf(text: string): { line: number; column: number } {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    token.lastIndex = at;
    const found = token.exec(text);
    const next: Expected | null | undefined =
      found && following(expected, found[1], found[3], open);
    if (!found || !next) break;
    expected = next;
    at = token.lastIndex;
  }
  const before = text.slice(0, at + (/^[ \t\n\r]*/.exec(text.slice(at))?.[0].length ?? 0));
  const lines = before.split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Returns the kind of token that may follow, or nothing if this one is misplaced; updates `open`. */
function following(
  expected: Expected,
  text: string | undefined,
  mark: string | undefined,
  open: ('{' | '[')[],
): Expected | undefined {
  const after = () => (open.length > 0 ? ', or end' : 'nothing');
  if (mark === undefined) {
    if (expected === 'name' || expected === 'name or }')
      return text === undefined ? undefined : ':';
    return expected.startsWith('value') ? after() : undefined;
  }
  if ((mark === '{' || mark === '[') && expected.startsWith('value')) {
    open.push(mark);
    return mark === '{' ? 'name or }' : 'value or ]';
  }
  if (mark === ':' && expected === ':') return 'value';
  const inside = open.at(-1);
  if (mark === ',' && expected === ', or end') return inside === '{' ? 'name' : 'value';
  const closes = mark === '}' ? inside === '{' : mark === ']' && inside === '[';
  const mayClose =
    expected === ', or end' || expected === (mark === '}' ? 'name or }' : 'value or ]');
  if (!closes || !mayClose) return undefined;
  open.pop();
  return after();
}

/** Tells if an object is nested more than `limit` levels deep, without recursion. */
export function isDeeperThan(limit: number, object: object): boolean {
  let level: object[] = [object];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level
      .flatMap((item): unknown[] => Object.values(item))
      .filter((item): item is object => typeof item === 'object' && item !== null);
  }
  return false;
}

/**
 * Finds an integer of 2^53 or more: JSON has every digit of it, but JavaScript would read another number.
 * @returns the names and positions that lead to the first, or undefined
 */
export function pathOfInexact(value: unknown): string[] | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const path = pathOfInexact(part);
    if (path) return [name, ...path];
  }
  return undefined;
}
