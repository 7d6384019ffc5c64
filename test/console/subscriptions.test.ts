import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Subscriptions', () => {
  const at = useConsole();
  const sheet = (page: Page) => page.getByRole('dialog');
  const list = (page: Page) => page.getByRole('table', { name: 'Subscriptions' });

  const open = async (page: Page) => {
    await list(page).getByRole('link').first().click();
    await sheet(page).getByRole('heading', { name: 'Orders and their terms' }).waitFor();
  };

  long(
    'A subscription that ends soon is found, paused until a day and resumed, and ends later, as announced',
    async () => {
      await at.console.store.database.query(
        `update subscriptions set end_date = now() + interval '3 days', version = version + 1
        where id = (select min(id) from subscriptions where status = 'active')`,
      );
      const page = await at.console.open('/');
      await page.getByRole('link', { name: 'Subscriptions' }).click();
      await list(page).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Ends within 7 days' }).click();
      await expect.poll(() => list(page).getByRole('row').count()).toBe(2);
      expect(new URL(page.url()).search).toBe('?status=soon');
      await open(page);
      await sheet(page).getByText('1 month', { exact: false }).waitFor();
      await sheet(page).getByRole('button', { name: 'Pause' }).click();
      await sheet(page).getByText('Access and licences stop at once.').waitFor();
      await sheet(page).getByLabel('Until').fill('2031-01-31T12:00');
      await sheet(page).getByText('It resumes automatically; it then ends').waitFor();
      await expectAccessible(page);
      await sheet(page).getByRole('button', { name: 'Pause the subscription' }).click();
      await page.getByRole('status').getByText('The subscription is paused.').waitFor();
      await sheet(page).getByRole('heading', { name: 'Pauses' }).waitFor();
      expect(await clicksOf(page)).toBe(5);
      await sheet(page).getByRole('button', { name: 'Resume' }).click();
      await sheet(page).getByText('Access and licences work again at once.').waitFor();
      await sheet(page).getByRole('button', { name: 'Resume the subscription' }).click();
      await page.getByRole('status').getByText('The subscription is resumed.').waitFor();
    },
  );

  long(
    'A subscription gets another price and is cancelled at its end; both changes are withdrawn, on a phone',
    async () => {
      const page = await at.console.open('/subscriptions?status=active', {
        width: 320,
        scheme: 'dark',
      });
      await open(page);
      await sheet(page).getByRole('button', { name: 'Change' }).click();
      await sheet(page).getByLabel('Price of further terms').fill('45.000');
      await sheet(page).getByText('Further terms cost Rp 45,000 instead of Rp 99,000.').waitFor();
      await sheet(page).getByRole('button', { name: 'Save the change' }).click();
      await sheet(page).getByText('Further terms cost Rp 45,000', { exact: true }).waitFor();
      await sheet(page).getByRole('button', { name: 'Cancel it' }).click();
      await sheet(page).getByLabel('When').selectOption('Now');
      await sheet(page)
        .getByText(/days of paid time are lost\./)
        .waitFor();
      await sheet(page).getByLabel('When').selectOption('At its end');
      await sheet(page).getByLabel('Reason').fill('too expensive');
      await expectAccessible(page);
      await sheet(page).getByRole('button', { name: 'Cancel the subscription' }).click();
      await sheet(page).getByText('It ends, cancelled by the store').waitFor();
      await page
        .getByRole('heading', { name: 'Reasons for cancelling' })
        .waitFor({ state: 'attached' });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await sheet(page).getByRole('button', { name: 'Withdraw scheduled changes' }).click();
      await sheet(page).getByRole('button', { name: 'Withdraw the changes' }).click();
      await page.getByRole('status').getByText('Withdrawn.').waitFor();
      const { rows } = await at.console.store.database.query(
        'select count(*)::int as left from subscriptions where cancelled_at is not null or next_price is not null',
      );
      expect(rows).toEqual([{ left: 0 }]);
    },
  );

  long(
    'A plan shows how much of it is paid, also in Indonesian; a shop manager cannot change it',
    async () => {
      const { rows } = await at.console.store.database.query<{ id: string }>(
        `update subscriptions set payments = 6, paid = 3, version = version + 1
        where id = (select max(id) from subscriptions) returning id`,
      );
      const as = await at.console.shopManager();
      const page = await at.console.open(`/subscriptions/${rows[0]?.id}`, { as });
      await sheet(page).getByText('3 of 6 paid').waitFor();
      expect(await sheet(page).getByRole('button', { name: 'Pause' }).count()).toBe(0);
      await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
      await page.reload();
      await sheet(page).getByText('3 dari 6 dibayar').waitFor();
    },
  );
});
