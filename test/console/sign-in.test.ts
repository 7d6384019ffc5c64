import { expect, test } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('signing in', () => {
  const at = useConsole();

  test('takes a link and one click, and the secret leaves the address at once', async () => {
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

  test('without a link says how to get one', async () => {
    const page = await at.console.open('/', { as: null });
    await page.getByRole('heading', { name: 'You need a link to sign in' }).waitFor();
    await expectAccessible(page);
  });

  test('a link that was used says so, and what to do', async () => {
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
});
