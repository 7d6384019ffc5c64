import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';
import { long } from '../harness/long.ts';

inBrowser('Access', () => {
  const at = useConsole();
  const sheet = (page: Page) => page.getByRole('dialog');

  long('A grant shows the verdict that an app gets, and is revoked in four clicks', async () => {
    const page = await at.console.open('/');
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('table', { name: 'Access' }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Active');
    await page.getByRole('combobox', { name: 'Product' }).selectOption('Seller Club');
    await expect.poll(() => new URL(page.url()).search).toMatch(/status=active&product_id=\d+/);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Dewi Kartika' }).first().click();
    await sheet(page).getByText('Everything is in order.').waitFor();
    await expectAccessible(page);
    await sheet(page).getByRole('button', { name: 'Revoke the access' }).click();
    await sheet(page).getByText('Dewi Kartika cannot use Seller Club any more').waitFor();
    await sheet(page).getByRole('button', { name: 'Revoke the access' }).click();
    await page.getByRole('status').getByText('The access is revoked.').waitFor();
    expect(await clicksOf(page)).toBe(4);
  });

  long('Content is made, changed and deleted on a phone', async () => {
    const page = await at.console.open('/access?view=content', { width: 320, scheme: 'dark' });
    await page.getByRole('link', { name: 'New content' }).click();
    await page.getByLabel('Title').fill('Lesson nine');
    await page.getByLabel('Address').fill('/lessons/9');
    await page.getByRole('checkbox', { name: 'Seller Club' }).check();
    await page.getByLabel('Opens after days').fill('7');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('after 7 days').first().waitFor();
    await page.getByRole('link', { name: 'Lesson nine' }).click();
    await page.getByLabel('Opens after days').fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Lesson nine is saved.').waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Delete' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('Lesson nine is deleted.').waitFor();
  });
});
