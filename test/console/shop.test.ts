import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong, long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

const opened = useConsole();

const receipt = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function check(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
}

inBrowser('The shop', () => {
  long.each(isLong ? [320, 1280] : [320])(
    'sells goods by transfer, with a variant, shipping and a payment proof, at a width of %i',
    async (width) => {
      const { console } = opened;
      const page = await console.open('/', { as: null, width });
      await page.goto(`${console.url}/`);
      await check(page);
      await page.getByRole('link', { name: 'Gayo Coffee Beans' }).click();
      await check(page);
      await page.getByRole('link', { name: 'Buy' }).click();
      await page.getByLabel('Grind').selectOption('ground');
      await expect.poll(() => page.locator('.sum').textContent()).toContain('143,000');
      await check(page);
      await page.getByLabel('Name').fill('Dewi Kartika');
      await page.getByLabel('E-mail').fill(`dewi-${width}@people.example`);
      await page.getByLabel('WhatsApp or phone').fill('0812 3456 7890');
      await page.getByLabel('Address').fill('Jl. Merdeka 1');
      await page.getByRole('button', { name: 'Place order' }).click();
      await page.getByText('Transfer exactly this amount').waitFor();
      await check(page);
      await page
        .getByLabel('Proof of payment')
        .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: receipt });
      await page.getByRole('button', { name: 'Send the proof' }).click();
      await page.getByText('Your proof of payment has arrived').waitFor();
      await check(page);
    },
  );
});
