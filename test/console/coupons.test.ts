import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Coupons', () => {
  const at = useConsole();

  long('A coupon is made in three clicks, and says what a buyer of a product pays', async () => {
    const page = await at.console.open('/');
    await page.getByRole('link', { name: 'Coupons' }).click();
    await page.getByRole('link', { name: 'HEMAT10' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New coupon' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill('lebaran20');
    await page.getByLabel('Discount', { exact: true }).fill('20');
    await page.getByLabel('Until').fill('2030-03-01T23:59');
    await page.getByLabel('Affiliates may copy it').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create coupon' }).click();
    await page.getByRole('heading', { level: 1, name: 'LEBARAN20' }).waitFor();
    expect(await clicksOf(page)).toBe(3);
    const preview = page.getByRole('complementary', { name: 'What a buyer pays' });
    await preview.getByLabel('On the product').selectOption('Selling Online, the Course');
    await preview.getByRole('row', { name: /^Total .*280,000/ }).waitFor();
    await expectAccessible(page);
    const { rows } = await at.console.store.database.query<{ at: number }>(
      `select extract(epoch from limit_date)::int as at from coupons where code = 'LEBARAN20'`,
    );
    // The store is in Jakarta, the browser in New York.
    expect(rows).toEqual([{ at: Date.parse('2030-03-01T16:59:00Z') / 1000 }]);
  });

  long('A coupon is priced with a product on sale, with its shipping', async () => {
    await at.console.store.database.query(
      `update products set disable_sale_time = now() - interval '1 day'
        where id > (select id from products where type = 'physical')`,
    );
    const page = await at.console.open('/coupons?search=HEMAT10');
    await page.getByRole('link', { name: 'HEMAT10' }).click();
    const preview = page.getByRole('complementary', { name: 'What a buyer pays' });
    await preview.getByRole('row', { name: /^JNE REG .*18,000/ }).waitFor();
    const product = preview.getByLabel('On the product').locator('option:checked');
    expect(await product.textContent()).toBe('Gayo Coffee Beans');
  });

  long('A template leads to its copies, whose discount is decided there', async () => {
    const page = await at.console.open('/coupons?view=templates');
    await page.getByRole('link', { name: 'PARTNER' }).click();
    await page.getByRole('link', { name: 'Copies of affiliates' }).click();
    await page.getByRole('link', { name: 'BUDI50' }).click();
    await page.getByText("This is an affiliate's copy of PARTNER").waitFor();
    expect(await page.getByLabel('Maximum number of orders').count()).toBe(0);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    await page.getByText('BUDI50 takes nothing off: it is switched off.').waitFor();
  });

  long('A coupon is copied without its code, and fits a phone', async () => {
    const page = await at.console.open('/coupons?search=WELCOME', { width: 320, scheme: 'dark' });
    await page.getByRole('link', { name: 'WELCOME10' }).click();
    await page.getByRole('link', { name: 'Copy' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill('HELLO10');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Create coupon' }).click();
    await page.getByRole('heading', { level: 1, name: 'HELLO10' }).waitFor();
    expect(await page.getByLabel("Only for a buyer's first order").isChecked()).toBe(true);
    await page
      .getByRole('group', { name: 'Never for these products' })
      .getByRole('checkbox', { name: 'Seller Club' })
      .check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('HELLO10').first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('HELLO10 is deleted.').waitFor();
  });
});
