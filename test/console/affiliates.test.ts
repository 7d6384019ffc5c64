import { expect } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { long } from '../harness/long.ts';

inBrowser('Affiliates', () => {
  const at = useConsole();

  /** Makes the store's only risk: the buyer of an order with an affiliate. */
  async function newRisk(): Promise<void> {
    await at.console.store.database.query('delete from risk_orders; delete from risks');
    await at.console.store.database.query(`
      with found as (
        insert into risks (kind, affiliate_id, other_id, order_id, tier, status, created_at, updated_at)
        select 'same-bank', affiliate_id, user_id, id, 1, 'open', now(), now() from orders
         where affiliate_id is not null and status = 'completed'
           and user_id in (select id from users where status = 'active') limit 1
        returning id, order_id
      ), placed as (
        insert into risk_orders select id, order_id, 1 from found
      )
      update commissions set held = true from found
       where commissions.order_id = found.order_id and paid_at is null`);
  }

  long(
    'Home leads to an open risk, whose evidence is read side by side, and which is cleared',
    async () => {
      await newRisk();
      const page = await at.console.open('/');
      await page.getByRole('link', { name: '1 affiliate risk to decide' }).click();
      await page.getByRole('table', { name: 'Affiliates' }).getByRole('link').first().click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('columnheader', { name: 'Other person' }).waitFor();
      await expectAccessible(page);
      await sheet.getByRole('button', { name: 'Clear' }).click();
      await sheet.getByLabel('Trust these people from now on').check();
      await sheet.getByLabel('Note').fill('Sisters.');
      await expectAccessible(page);
      await sheet.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('status').getByText('The risk is cleared.').waitFor();
      const { rows } = await at.console.store.database.query(
        'select status, trusted, note from risks',
      );
      expect(rows).toEqual([{ status: 'cleared', trusted: true, note: 'Sisters.' }]);
    },
  );

  long('A risk keeps its people and its order when one of the people is erased', async () => {
    await newRisk();
    const { database } = at.console.store;
    await database.query(
      `update users set status = 'anonymised', display_name = 'Deleted user', email = null
        where id = (select other_id from risks)`,
    );
    const { rows } = await database.query<{ name: string; number: string; other_id: number }>(
      `select u.display_name as name, o.number, r.other_id from risks r
         join users u on u.id = r.affiliate_id join orders o on o.id = r.order_id`,
    );
    const { name = '', number = '', other_id = 0 } = rows[0] ?? {};
    const page = await at.console.open('/affiliates');
    const row = page.getByRole('table', { name: 'Affiliates' }).getByRole('row').nth(1);
    await row.getByText(`${name} · #${other_id}`).waitFor();
    await row.getByRole('link').first().click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('link', { name }).waitFor();
    await sheet.getByRole('link', { name: number }).waitFor();
    await sheet.getByText(`#${other_id}`, { exact: true }).waitFor();
    await expectAccessible(page);
  });

  long('Risks fit a phone', async () => {
    await newRisk();
    const page = await at.console.open('/affiliates', { width: 320, scheme: 'dark' });
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long(
    'An affiliate is found by their clicks, and their figures are read by day, product, page and campaign',
    async () => {
      const page = await at.console.open('/affiliates');
      const parts = page.getByRole('navigation', { name: 'Affiliates' });
      await parts.getByRole('link', { name: 'Figures' }).click();
      await page.getByRole('combobox', { name: 'Rank by' }).selectOption('clicks');
      const board = page.getByRole('table', { name: 'Leaderboard' });
      await board.getByRole('columnheader', { name: 'Conversion' }).waitFor();
      await expectAccessible(page);
      await board.getByRole('link').first().click();
      for (const key of ['Product', 'Page', 'Campaign']) {
        await page.getByRole('link', { name: key, exact: true }).click();
        await page.getByRole('table', { name: key }).waitFor();
      }
      expect(new URL(page.url()).search).toBe('?by=sub');
      await page.getByRole('row', { name: /^instagram/ }).waitFor();
      await page.getByRole('table', { name: 'Links, all time' }).waitFor();
      await expectAccessible(page);
    },
  );

  long('The figures of affiliates fit a phone', async () => {
    for (const path of [
      '/affiliates/figures',
      `/affiliates/figures/${await someAffiliate()}?by=sub`,
    ]) {
      const page = await at.console.open(path, { width: 320, scheme: 'dark' });
      await page.getByRole('table').first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await expectAccessible(page);
    }
  });

  async function someAffiliate(): Promise<number> {
    const { rows } = await at.console.store.database.query<{ id: number }>(
      'select affiliate_id::int as id from affiliate_figures limit 1',
    );
    return rows[0]?.id ?? 0;
  }
});
