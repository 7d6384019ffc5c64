import { expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('signing in', () => {
  const at = useConsole();

  test('takes a link and one click, and the secret disappears from the address at once', async () => {
    const page = await at.console.open('/', { as: null });
    const link = await at.console.link();
    await page.goto('about:blank');
    await page.goto(link);
    await page
      .getByRole('heading', { name: 'Sign in to Demo store as Ayu Lestari (administrator)' })
      .waitFor();
    expect(page.url()).toBe(`${at.console.url}/console/`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    expect(await clicksOf(page)).toBe(1);
  });

  long(
    'without a link, at a store that sends no e-mails, names the command that makes one',
    async () => {
      const page = await at.console.open('/', { as: null, width: 320 });
      await page.getByText('This store sends no e-mails yet').waitFor();
      await page.getByText('npm run --silent key -- console you@example.com').waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await expectAccessible(page);
    },
  );

  long('a used link says so, and says what to do next', async () => {
    const page = await at.console.open('/', { as: null });
    const link = await at.console.link();
    for (const name of ['Home', 'This link no longer works']) {
      await page.goto('about:blank');
      await page.goto(link);
      const button = page.getByRole('button', { name: 'Sign in', exact: true });
      const heading = page.getByRole('heading', { name });
      await button.or(heading).first().waitFor();
      if (await button.isVisible()) await button.click();
      await heading.waitFor();
    }
  });

  long(
    'a new sign-in in the middle of work takes a link where the store sends no e-mails',
    async () => {
      const page = await at.console.open('/keys/new');
      await page.getByLabel('Name').fill('Late');
      await page.getByRole('button', { name: 'Read only' }).click();
      await at.console.store.database.query(
        "update console_sessions set authenticated_at = now() - interval '11 minutes'",
      );
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again first' });
      await dialog.getByText('the store sends no e-mails').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      expect(await page.getByLabel('Name').inputValue()).toBe('Late');
    },
  );
});
