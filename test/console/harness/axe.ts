import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../harness/long.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const all = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
const ofColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Checks a page by axe's rules of WCAG 2.2 AA, and in the long proofs the colours of the other scheme as well. */
export async function expectAccessible(page: Page): Promise<void> {
  // A table fades while the rows of a changed filter are on their way.
  await expect.poll(() => page.locator('table[aria-busy="true"]').count()).toBe(0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  expect(await violations(page, all)).toEqual([]);
  if (!isLong) return;
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  expect(await violations(page, ofColours), 'in the other scheme').toEqual([]);
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
}

async function violations(page: Page, rules: object): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run: (context: Document, options: object) => Promise<AxeResults> };
    };
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
    return violations;
  }, rules);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`,
  );
}
