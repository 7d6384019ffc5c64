import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('Many records', () => {
  const at = useConsole();
  const dialog = (page: Page) => page.getByRole('dialog');

  const count = async (status: string) => {
    const { rows } = await at.console.store.database.query<{ n: number }>(
      'select count(*)::int as n from orders where status = $1 and deleted_at is null',
      [status],
    );
    return rows[0]?.n ?? 0;
  };

  long(
    'A list becomes a spreadsheet that Excel reads as UTF-8, with the filters that are shown',
    async () => {
      const page = await at.console.open('/orders?status=completed');
      await page.getByRole('table', { name: 'Orders' }).waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Spreadsheet' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe('orders.csv');
      const text = await readFile(await download.path(), 'utf8');
      expect(text.startsWith('\uFEFFid,')).toBe(true);
      expect(text.trim().split('\r\n')).toHaveLength((await count('completed')) + 1);
    },
  );

  long('Columns that somebody hides stay hidden', async () => {
    const page = await at.console.open('/orders');
    const column = page.getByRole('columnheader', { name: 'Product' });
    await column.waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Product' }).uncheck();
    await column.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Buyer' }).waitFor();
    expect(await column.count()).toBe(0);
  });

  long(
    'All unpaid orders are cancelled, each once, even if the page is reloaded in between',
    async () => {
      const unpaid = await count('on-hold');
      const cancelled = await count('cancelled');
      expect(unpaid).toBeGreaterThan(2);
      const page = await at.console.open('/orders?status=on-hold');
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      let calls = 0;
      await page.route(/\/api\/v1\/orders\/\d+$/, async (route) => {
        if (route.request().method() !== 'GET' && ++calls > 1) await held;
        await route.continue().catch(() => {});
      });
      const verb = `Cancel all ${unpaid} that match`;
      await page.getByRole('button', { name: verb }).click();
      await dialog(page)
        .getByText('Each order is cancelled: its stock', { exact: false })
        .waitFor();
      await expectAccessible(page);
      await dialog(page).getByRole('button', { name: verb }).click();
      await dialog(page).getByText(`1 of ${unpaid} done`).waitFor();
      await page.reload();
      release();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.getByRole('button', { name: /Cancel all|The last run has/ }).click();
      await dialog(page).getByRole('button', { name: 'Continue' }).click();
      await dialog(page).getByText(`${unpaid} of ${unpaid} done`).waitFor();
      const ended = `The last run made ${unpaid} calls.`;
      await dialog(page).getByRole('heading', { name: ended }).waitFor();
      await page.getByRole('button', { name: ended, includeHidden: true }).waitFor();
      await expectAccessible(page);
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      expect(await count('on-hold')).toBe(0);
      expect(await count('cancelled')).toBe(cancelled + unpaid);
    },
  );

  long('Proofs without discrepancies are approved together', async () => {
    const page = await at.console.open('/proofs', { width: 320, scheme: 'dark' });
    const verb = 'All with the right amount';
    await page.getByRole('button', { name: verb }).click();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: verb }).click();
    await dialog(page)
      .getByText(/^(\d+) of \1 done$/)
      .waitFor();
    const { rows } = await at.console.store.database.query(
      `select count(*)::int as odd from confirmations
        where status = 'approved' and reviewed_at > now() - interval '1 minute' and duplicate_of is not null`,
    );
    expect(rows).toEqual([{ odd: 0 }]);
  });
});
