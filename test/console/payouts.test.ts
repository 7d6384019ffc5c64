import { expect } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { long } from '../harness/long.ts';

inBrowser('Payouts', () => {
  const at = useConsole();

  long('A run is drafted from Home, confirmed, downloaded, and its lines get results', async () => {
    const { database } = at.console.store;
    await database.query(
      `update commissions set hold_until = null where status = 'added' and paid_at is null`,
    );
    const page = await at.console.open('/');
    await page.getByRole('link', { name: 'due to affiliates' }).click();
    await page.getByText('Draft one to see what it would pay.').waitFor();
    await page.getByRole('button', { name: 'Draft a run' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Draft a run' }).click();
    await page.getByRole('heading', { name: /^Run \d+$/ }).waitFor();
    await page.getByText('account as text only').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Confirm the run' }).click();
    await page.getByRole('heading', { name: 'File for the bank' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toMatch(/^payout-run-\d+-general\.csv$/);
    await page
      .getByRole('button', { name: /^Returned: / })
      .first()
      .click();
    await page.getByLabel('Reason', { exact: false }).fill('The account is closed.');
    await page.getByRole('button', { name: 'Record as returned' }).click();
    await page.getByRole('cell', { name: /The account is closed/ }).waitFor();
    const { rows: sums } = await database.query<{ transferred: string; returned: string }>(
      `select sum(amount) filter (where status = 'confirmed') as transferred,
              sum(amount) filter (where status = 'returned') as returned from payout_lines`,
    );
    const shown = async (name: string) =>
      (await page.locator('.facts > div', { hasText: name }).locator('dd').innerText())
        .split('·')
        .at(-1)
        ?.replaceAll(/\D/g, '');
    await expect.poll(() => shown('Transferred')).toBe(sums[0]?.transferred);
    expect(await shown('Returned')).toBe(sums[0]?.returned);
    await expectAccessible(page);
    const { rows } = await database.query<{ status: string; payout: string }>(
      `select l.status, p.status as payout from payout_lines l join payouts p on p.id = l.id
        where l.status = 'returned'`,
    );
    expect(rows).toEqual([{ status: 'returned', payout: 'cancelled' }]);
  });

  long('The ledger shows the commissions that are flagged for one suspicion', async () => {
    const { database } = at.console.store;
    await database.query(
      `update commissions set flags = '{same-bank}' where id = (select max(id) from commissions)`,
    );
    const page = await at.console.open('/commissions');
    const rows = page.getByRole('table', { name: 'Commissions' }).locator('tbody tr');
    await page
      .getByRole('combobox', { name: 'Suspicion' })
      .selectOption({ label: 'The buyer has the affiliate’s bank account' });
    await page.waitForURL(/flag=same-bank/);
    await expect.poll(() => rows.count()).toBe(1);
    await expectAccessible(page);
  });

  long(
    'The ledger shows the commissions of certain days, and its address names the days',
    async () => {
      const { rows: days } = await at.console.store.database.query<{ day: string; n: string }>(
        `select to_char(c.created_at at time zone s.timezone, 'YYYY-MM-DD') as day, count(*) as n
         from commissions c, settings s where c.deleted_at is null group by 1 order by 1 limit 1`,
      );
      const { day = '', n = '' } = days[0] ?? {};
      const page = await at.console.open('/commissions');
      await page.getByLabel('Made from').fill(day);
      await page.getByLabel('to', { exact: true }).fill(day);
      await page.waitForURL(new RegExp(`from=${day}&to=${day}$`));
      const rows = page.getByRole('table', { name: 'Commissions' }).locator('tbody tr');
      await expect.poll(() => rows.count()).toBe(Number(n));
      await expectAccessible(page);
    },
  );

  long(
    'The ledger shows payable commissions and those in a draft, on a phone as well',
    async () => {
      const page = await at.console.open('/commissions', { width: 320, scheme: 'dark' });
      await page.getByRole('table', { name: 'Commissions' }).waitFor();
      await page.getByRole('link', { name: 'Unpaid', exact: true }).click();
      await page.getByText('Payable').first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await expectAccessible(page);
    },
  );
});
