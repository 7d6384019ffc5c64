import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pictures } from '../lib/pictures.ts';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Products', () => {
  const at = useConsole();
  const course = 'Selling Online, the Course';
  const save = (page: Page) => page.getByRole('button', { name: 'Save' });
  const valueOf = async (column: string, title: string) => {
    const { rows } = await at.console.store.database.query<Record<string, unknown>>(
      `select ${column} as value from products where title = $1`,
      [title],
    );
    return rows[0]?.['value'];
  };

  long('A price is changed in three clicks, and the preview shows the new price', async () => {
    const page = await at.console.open('/');
    await page.getByRole('link', { name: 'Products' }).click();
    await expectAccessible(page);
    await page.getByRole('link', { name: course }).click();
    await page.getByLabel('Price', { exact: true }).fill('Rp 360.000');
    await page.getByText('Save to see the effect of your changes.').waitFor();
    await expectAccessible(page);
    await save(page).click();
    await page.getByRole('status').getByText(`${course} is saved`).waitFor();
    expect(await clicksOf(page)).toBe(3);
    const preview = page.getByRole('complementary', { name: 'What a buyer pays' });
    await preview.getByRole('row', { name: /^Total .*360,000/ }).waitFor();
    expect(await valueOf('price', course)).toBe('360000');
  });

  long(
    'A checkout link has the chosen options, the coupon and the affiliate, and opens the checkout with them',
    async () => {
      const page = await at.console.open('/products');
      await page.getByRole('link', { name: 'Gayo Coffee Beans' }).click();
      const preview = page.getByRole('complementary', { name: 'What a buyer pays' });
      await preview.getByLabel('Grind').selectOption('ground');
      await preview.getByLabel('Coupon').fill('HEMAT10');
      const copied = async () => {
        await preview.getByRole('button', { name: 'Copy checkout link' }).click();
        return page.evaluate(async () => navigator.clipboard.readText());
      };
      const link = await copied();
      expect(link).toMatch(/\/checkout\/gayo-coffee[\w-]*\?variant=ground&coupon=HEMAT10$/);
      await expectAccessible(page);
      await preview.getByLabel(/^Affiliate’s number/).fill('3');
      expect(await copied()).toMatch(/\/aff\/3\/\d+\/checkout\?variant=ground&coupon=HEMAT10$/);
      await page.goto(link);
      expect(await page.getByLabel('Coupon').inputValue()).toBe('HEMAT10');
      expect(await page.getByLabel('Grind').inputValue()).toBe('ground');
    },
  );

  long(
    'A field that somebody else has changed meanwhile keeps the typed value, and says so',
    async () => {
      const { database } = at.console.store;
      const page = await at.console.open('/products');
      await page.getByRole('link', { name: course }).click();
      await page.getByLabel('Price', { exact: true }).fill('370000');
      await database.query(
        `update products set price = 380000, version = version + 1 where title = $1`,
        [course],
      );
      await save(page).click();
      await page.getByText('Somebody else changed this meanwhile').waitFor();
      expect(await page.getByLabel('Price', { exact: true }).inputValue()).toBe('370000');
      await page.reload();
      await expect
        .poll(() => page.getByLabel('Price', { exact: true }).inputValue())
        .toBe('370000');
      await save(page).click();
      await page.getByRole('status').getByText(`${course} is saved`).waitFor();
      expect(await valueOf('price', course)).toBe('370000');
      const drafts = () => page.evaluate(() => Object.keys(sessionStorage).join());
      expect(await drafts()).not.toContain('draft:');
    },
  );

  long(
    'A product is made with a picture, variants and commissions, copied and published',
    async () => {
      const page = await at.console.open('/products');
      await page.getByRole('link', { name: 'New product' }).click();
      await page.getByLabel('Title').fill('Rye bread');
      await page.getByLabel('Price', { exact: true }).fill('50000');
      await page.getByLabel('Upload a picture').setInputFiles({
        name: 'bread.png',
        mimeType: 'image/png',
        buffer: Buffer.from(pictures.png),
      });
      await page.getByRole('img', { name: 'The picture of the product' }).waitFor();
      await page.getByRole('heading', { name: 'Variants' }).click();
      await page.getByRole('button', { name: 'Add a choice' }).click();
      await page.getByLabel('Name of the choice').fill('Size');
      const option = page.getByRole('group', { name: /^Option/ });
      await option.getByLabel('Name').fill('Large');
      await option.getByLabel('Surcharge').fill('-5000');
      await page.getByRole('heading', { name: 'Affiliates' }).click();
      await page.getByLabel('Affiliates can promote it').check();
      await page.getByText('affiliates earn nothing here').waitFor();
      await page.getByRole('button', { name: 'Add a tier' }).click();
      await page.getByLabel('Commission', { exact: false }).last().fill('12.5');
      await page.getByText('affiliates earn nothing here').waitFor({ state: 'detached' });
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create product' }).click();
      await page.getByRole('heading', { level: 1, name: 'Rye bread' }).waitFor();
      await page.getByRole('row', { name: /^Total .*45,000/ }).waitFor();
      await page.getByRole('link', { name: 'Copy' }).click();
      await page.getByLabel('Title').fill('Wheat bread');
      await page.getByRole('button', { name: 'Create product' }).click();
      await page.getByRole('heading', { level: 1, name: 'Wheat bread' }).waitFor();
      await page.getByText('Buyers can order it once it is published').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('status').getByText('Wheat bread is published').waitFor();
      expect(await valueOf('status', 'Wheat bread')).toBe('publish');
      await page.getByRole('heading', { name: 'Groups of customers' }).click();
      await page.getByLabel('Buyers move to').selectOption({ index: 1 });
      await page.getByRole('heading', { name: 'Sale and stock' }).click();
      await page.getByLabel('Sold until').fill('2031-01-01T00:00');
      await save(page).click();
      await expect.poll(() => valueOf('disable_sale_time', 'Wheat bread')).not.toBeNull();
      await page.getByRole('status').getByText('Wheat bread is saved').last().waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('status').getByText('Wheat bread is deleted.').waitFor();
    },
  );

  long('A file is uploaded with a progress bar, and removed', async () => {
    const { store } = at.console;
    const page = await at.console.open('/products');
    await page.getByRole('link', { name: course }).click();
    const content = Buffer.alloc(12_000_000, 'sourdough ');
    const file = { name: 'workbook.pdf', mimeType: 'application/pdf', buffer: content };
    await page.getByLabel('Upload a file').setInputFiles(file);
    await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
    await page.getByText('· 12 MB').waitFor();
    await expectAccessible(page);
    const { rows } = await store.database.query('select status, size, type, sha256 from files');
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(rows).toEqual([{ status: 'ready', size: '12000000', type: 'application/pdf', sha256 }]);
    await page.getByRole('button', { name: 'Remove workbook.pdf' }).click();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await page.getByText('· 12 MB').waitFor({ state: 'detached' });
  });

  long(
    'Products are found by text, status and kind, and an empty result links to all of them',
    async () => {
      const page = await at.console.open('/products?status=publish');
      await page.getByRole('link', { name: course }).waitFor();
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('Shipped');
      await page.waitForURL(/kind=physical/);
      await page.getByRole('link', { name: course }).waitFor({ state: 'detached' });
      await page.getByRole('searchbox').fill('no such thing');
      await page.getByRole('heading', { name: 'No product matches' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('main').getByRole('link', { name: 'All products' }).click();
      await page.getByRole('link', { name: course }).waitFor();
    },
  );

  long(
    'A new product that is shipped takes a shipping option, so that its checkout asks for an address',
    async () => {
      const page = await at.console.open('/products/new');
      const fold = page.getByRole('heading', { name: 'Shipping' });
      await page.getByLabel('Title').fill('Teapot');
      await page.getByLabel('Price', { exact: true }).fill('90000');
      expect(await fold.count()).toBe(0);
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('Shipped');
      await fold.waitFor();
      await page.getByLabel('Courier').fill('JNE');
      await page.getByRole('button', { name: 'Create product' }).click();
      await page.getByRole('status').getByText('Teapot is saved').waitFor();
      const slug = String(await valueOf('slug', 'Teapot'));
      await page.goto(new URL(`/checkout/${slug}`, page.url()).href);
      await page.getByLabel('Address').waitFor();
      await page.getByLabel('JNE').waitFor();
    },
  );

  long(
    'A new product that is paid by subscription has a term, so that it is not sold once for good',
    async () => {
      const page = await at.console.open('/products/new');
      await page.getByLabel('Title').fill('Kettle club');
      await page.getByLabel('Price', { exact: true }).fill('90000');
      const paid = page.getByRole('combobox', { name: 'Paid' });
      await paid.selectOption('By subscription');
      await page.getByLabel('A term lasts').waitFor();
      await paid.selectOption('Once');
      expect(await page.getByRole('heading', { name: 'Subscription' }).count()).toBe(0);
      await paid.selectOption('By subscription');
      await page.getByRole('button', { name: 'Create product' }).click();
      await page.getByRole('status').getByText('Kettle club is saved').waitFor();
      expect(await valueOf('subscription', 'Kettle club')).toMatchObject({ active: true });
    },
  );

  long('A product fits a phone', async () => {
    const page = await at.console.open('/products', { width: 320, scheme: 'dark' });
    await page.getByRole('link', { name: course }).click();
    await page.getByRole('heading', { level: 1, name: course }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long('Whoever may only read sees a product and changes nothing', async () => {
    const page = await at.console.open('/products', { as: await at.console.shopManager() });
    await page.getByRole('link', { name: course }).click();
    await page.getByText('Your role may see products').waitFor();
    expect(await page.getByLabel('Price', { exact: true }).isDisabled()).toBe(true);
    expect(await save(page).count()).toBe(0);
  });
});
