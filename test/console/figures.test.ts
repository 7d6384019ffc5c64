import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Figures', () => {
  const at = useConsole();

  long(
    'A month is compared with the one before, by product and affiliate, and becomes a spreadsheet in three clicks',
    async () => {
      const page = await at.console.open('/');
      await page.getByRole('link', { name: 'Figures' }).click();
      await page.getByRole('link', { name: '30 days' }).click();
      expect(new URL(page.url()).search).toBe('?period=days');
      const products = page.getByRole('table', { name: 'By product' });
      await products.getByRole('link', { name: 'Seller Club' }).waitFor();
      await page.getByRole('table', { name: 'By affiliate' }).waitFor();
      await page.getByRole('row', { name: /^Orders sold/ }).waitFor();
      await expectAccessible(page);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Spreadsheet' }).click();
      const text = await readFile(await (await downloading).path(), 'utf8');
      expect(text).toMatch(/^\uFEFF"What","\d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d"/);
      expect(text).toContain('"Seller Club",');
      expect(await clicksOf(page)).toBe(3);
      await products.getByRole('link', { name: 'Seller Club' }).click();
      await products.waitFor({ state: 'detached' });
      expect(await page.getByRole('combobox', { name: 'Product' }).inputValue()).not.toBe('');
    },
  );

  long('A full refund counts as refunded, and leaves the revenue as it was', async () => {
    const { rows } = await at.console.store.database.query<Record<string, string>>(
      `select product_id, count(*) as sold, sum(grand_total) as gross, sum(refunded_total) as refunded,
          sum(grand_total - refunded_total) as net
         from orders where status in ('in-progress', 'shipping', 'completed', 'refunded')
          and deleted_at is null
          and product_id = (select product_id from orders where status = 'refunded' limit 1)
        group by product_id`,
    );
    const [figures = {}] = rows;
    expect(Number(figures['refunded'])).toBeGreaterThan(0);
    const path = `/figures?from=2020-01-01&to=2099-12-31&product_id=${figures['product_id']}`;
    const page = await at.console.open(path);
    const table = page.getByRole('table', { name: 'In all' });
    await table.waitFor();
    const digits = async (name: string) => {
      const row = table.getByRole('row', { name: new RegExp(`^${name}`) });
      return (await row.getByRole('cell').nth(1).innerText()).replaceAll(/\D/g, '');
    };
    expect({
      sold: await digits('Orders sold'),
      gross: await digits('Revenue'),
      refunded: await digits('Refunded'),
      net: await digits('Net revenue'),
    }).toEqual({
      ...{ sold: figures['sold'], gross: figures['gross'] },
      ...{ refunded: figures['refunded'], net: figures['net'] },
    });
  });

  long(
    'Any days are compared with the same days a year ago, for one coupon, on a phone',
    async () => {
      const path = '/figures?from=2026-01-01&to=2026-01-31&vs=year';
      const page = await at.console.open(path, { width: 320, scheme: 'dark' });
      await page.getByText('Nothing was sold in either period.').first().waitFor();
      await page.getByRole('combobox', { name: 'Coupon' }).selectOption('HEMAT10');
      await expect.poll(() => new URL(page.url()).search).toContain('coupon=HEMAT10');
      await page.getByRole('table', { name: 'In all' }).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await expectAccessible(page);
    },
  );
});
