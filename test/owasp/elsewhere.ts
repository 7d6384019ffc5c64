import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/**
 * Names the tests in other files that prove a part of an item. Each must exist under its title.
 * @param proofs titles by file, relative to the folder of the tests
 */
export function provedElsewhere(proofs: Readonly<Record<string, readonly string[]>>): void {
  const named = Object.entries(proofs).flatMap(([file, titles]) =>
    titles.map((title) => ({ file, title })),
  );
  test.each(named)('$title ($file)', async ({ file, title }) => {
    const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8');
    expect(
      text.split('\n').some((line) => line.includes(title)),
      file,
    ).toBe(true);
  });
}
