import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('home', () => {
  const at = useConsole();

  long(
    'shows open tasks, the figures of the store and the newest records, with links to them',
    async () => {
      const page = await at.console.open('/');
      await page.getByRole('link', { name: /payment proofs? to review/ }).waitFor();
      await page.getByRole('link', { name: /orders? to send or complete/ }).waitFor();
      await page.getByRole('link', { name: 'A sender of messages' }).waitFor();
      await page
        .getByText(/\d+ sales? from \d+ orders/)
        .first()
        .waitFor();
      await expectAccessible(page);
      const gap = await page.evaluate(() => {
        const [home, fold] = ['.home', '.home + .fold'].map((each) =>
          document.querySelector(each)?.getBoundingClientRect(),
        );
        return (fold?.top ?? 0) - (home?.bottom ?? 0);
      });
      expect(gap).toBeGreaterThanOrEqual(16);
      const newest = page.getByRole('table', { name: 'Newest orders' });
      await newest.getByRole('link').first().click();
      await page.waitForURL(/\/console\/orders\/\d+$/);
      expect(await clicksOf(page)).toBe(1);
    },
  );

  long('Home leads from a product and an affiliate to their orders', async () => {
    const page = await at.console.open('/');
    const product = page.getByRole('table', { name: 'Top products' }).getByRole('link').first();
    const title = await product.innerText();
    await product.click();
    await page.getByRole('button', { name: `Remove Product ${title}` }).waitFor();
    await page.goBack();
    await page.getByRole('table', { name: 'Top affiliates' }).getByRole('link').first().click();
    await page.getByRole('button', { name: /^Remove Affiliate/ }).waitFor();
    await page.getByRole('table', { name: 'Orders' }).waitFor();
  });

  long('shows its plot as a table too', async () => {
    const page = await at.console.open('/');
    await page.getByRole('img', { name: 'Revenue of the last 30 days' }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('table', { name: 'Revenue of the last 30 days' });
    await expect.poll(() => table.getByRole('row').count()).toBe(31);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Orders');
    await page.getByRole('table', { name: 'Orders of the last 30 days' }).waitFor();
    await expectAccessible(page);
  });

  long('fits a phone, in Indonesian', async () => {
    const page = await at.console.open('/', { width: 320 });
    await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
    await page.reload();
    await page.getByRole('heading', { name: 'Pesanan terbaru' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long('breaks no sum of a phone within its digits', async () => {
    const page = await at.console.open('/', { width: 345 });
    await page.getByRole('heading', { name: 'Newest orders' }).waitFor();
    const lines = await page
      .locator('.figure-sum')
      .evaluateAll((sums) =>
        sums.map((sum) =>
          Math.round(sum.clientHeight / parseFloat(getComputedStyle(sum).lineHeight)),
        ),
      );
    expect(lines).toEqual([1, 1, 1, 1]);
  });

  long('names what the store lacks in the order in which it matters, and leads there', async () => {
    const { database } = at.console.store;
    await database.query(
      "update settings set currency = null, currency_exponent = null, manual_accounts = '[]'",
    );
    await database.query("update products set status = 'draft'");
    const page = await at.console.open('/', { width: 320 });
    const missing = page.getByRole('list').filter({ hasText: 'A currency' });
    await missing.waitFor();
    expect(await missing.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^A currency/),
      expect.stringMatching(/^A way to pay/),
      expect.stringMatching(/^A sender of messages/),
      expect.stringMatching(/^A product/),
    ]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
    await missing.getByRole('link', { name: 'A currency' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });
});
