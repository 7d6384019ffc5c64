import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';
import { long } from '../harness/long.ts';

inBrowser('proofs', () => {
  const at = useConsole();
  const waiting = async () => {
    const { rows } = await at.console.store.database.query<{ id: string }>(
      `select id from confirmations where status = 'pending' order by id`,
    );
    return rows.length;
  };
  const picture = (page: Page) => page.getByRole('img', { name: /^Proof of payment of/ });

  long(
    'are found on the first screen, viewed, approved by a click and rejected by the keyboard',
    async () => {
      expect(await waiting()).toBe(2);
      const page = await at.console.open('/');
      await page.getByRole('link', { name: /proof/i }).last().click();
      await picture(page).waitFor();
      // The space of the picture is reserved before it arrives.
      await expect
        .poll(() => picture(page).evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBeGreaterThan(0);
      await page.getByText('2 wait, the oldest first').waitFor();
      await page.getByText('The buyer gets no message', { exact: false }).waitFor();
      expect(await page.getByText('is told').count()).toBe(0);
      await expectAccessible(page);
      const first = await picture(page).getAttribute('alt');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The last one that waits').waitFor();
      expect(await clicksOf(page)).toBe(2);
      expect(await picture(page).getAttribute('alt')).not.toBe(first);
      await page.keyboard.press('r');
      await page.locator('textarea:focus').waitFor();
      await page.getByRole('button', { name: 'The picture cannot be read.' }).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('heading', { name: 'No proofs waiting' }).waitFor();
      expect(await page.getByText('curl').count()).toBe(0);
      expect(await waiting()).toBe(0);
      await page.getByRole('link', { name: 'Rejected' }).click();
      await page.getByRole('table', { name: 'Rejected' }).getByRole('link').first().click();
      await page.getByText('The picture cannot be read.').waitFor();
    },
  );

  long('fit a phone', async () => {
    const page = await at.console.open('/proofs?view=approved', { width: 320, scheme: 'dark' });
    await page.getByRole('table', { name: 'Approved' }).getByRole('link').first().click();
    await picture(page).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long(
    'A proof whose amount differs is not approved by a single key, and by a click only after a question',
    async () => {
      const { database } = at.console.store;
      const { rows } = await database.query<{ id: string }>(
        `update confirmations set status = 'pending', reviewed_at = null,
         detail = jsonb_set(detail, '{total}', '1234567')
       where id = (select max(id) from confirmations) returning id`,
      );
      const page = await at.console.open(`/proofs/${rows[0]?.id}`, { width: 320 });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        320,
      );
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('This proof does not match the order.').waitFor();
      await expectAccessible(page);
      expect(await waiting()).toBe(1);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.keyboard.press('r');
      await page.locator('textarea:focus').waitFor();
    },
  );

  long('A proof without an amount says so, and is approved by a click', async () => {
    const { database } = at.console.store;
    const { rows } = await database.query<{ id: string }>(
      `update confirmations set status = 'pending', reviewed_at = null, amount_matches = false,
         detail = jsonb_set(detail, '{total}', 'null')
       where id = (select max(id) from confirmations) returning id`,
    );
    await database.query(
      `update orders set status = 'payment-confirm', paid_at = null
       where id = (select order_id from confirmations where id = $1)`,
      [rows[0]?.id],
    );
    const page = await at.console.open(`/proofs/${rows[0]?.id}`);
    await page.getByRole('link', { name: /^INV-/ }).click();
    await page.getByRole('dialog').getByText('No amount stated').waitFor();
    await page.goBack();
    await page.getByText('The buyer stated no amount').waitFor();
    expect(await page.getByText('The amounts match').count()).toBe(0);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('status')
      .getByText(/is paid$/)
      .waitFor();
    const { rows: reviewed } = await database.query(
      'select status from confirmations where id = $1',
      [rows[0]?.id],
    );
    expect(reviewed).toEqual([{ status: 'approved' }]);
  });
});
