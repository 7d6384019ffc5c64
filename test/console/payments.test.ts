import { expect } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { long } from '../harness/long.ts';

inBrowser('payments that need a decision', () => {
  const at = useConsole();

  long(
    'Unexpected payments show their order, the name of their payment method, and what was refunded of them',
    async () => {
      await at.console.store.database.query(
        `with session as (
         insert into payment_sessions (order_id, gateway, reference, amount, currency, status,
           paid_amount, refundable, expires_at, created_at, updated_at)
         select id, 'stripe', 'console-stray', grand_total, currency, 'paid', grand_total, true,
           now(), now(), now() from orders where number = 'INV-000060' returning *),
       returned as (
         insert into provider_refunds (session_id, amount, state, made_there, created_at, updated_at)
         select id, 10000, 'succeeded', true, now(), now() from session)
       insert into unexpected_payments
         (session_id, order_id, gateway, amount, currency, reason, status, created_at, updated_at)
       select id, order_id, gateway, amount, currency, 'order_paid', 'open', now(), now()
         from session`,
      );
      const page = await at.console.open('/orders?view=unexpected');
      const row = page.getByRole('row', { name: /Stripe/ });
      await row.getByRole('link', { name: 'INV-000060' }).waitFor();
      await row.getByRole('button', { name: 'Keep the payment for order INV-000060' }).waitFor();
      expect(await row.getByText('stripe', { exact: true }).count()).toBe(0);
      await row.getByText(/^ · .*10,000 refunded$/).waitFor();
      await expectAccessible(page);
    },
  );

  long('A bank entry without an order is assigned to the order that it pays', async () => {
    const { database } = at.console.store;
    await database.query(
      `insert into bank_mutations (source, mutation_id, account_number, amount, currency, occurred_at, direction,
                                   description, status, created_at, updated_at, version)
       values ('moota', 'm-1', '1234567890', 99000, 'IDR', now(), 'credit', 'TRSF JOKO', 'open', now(), now(), 1)`,
    );
    const { rows } = await database.query<{ number: string }>(
      `select number from orders where status = 'on-hold' order by id desc limit 1`,
    );
    const number = rows[0]?.number ?? '';
    const page = await at.console.open('/');
    await page.getByRole('link', { name: '1 bank entry without an order' }).click();
    await page.getByRole('cell', { name: 'TRSF JOKO', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pays an order: TRSF JOKO' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find the order').fill(number);
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Order' }).textContent())
      .toContain(number);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pays an order' }).click();
    await page.getByRole('status').getByText(`${number} is paid by this transfer.`).waitFor();
    await page.getByRole('heading', { name: 'No open bank entries' }).waitFor();
  });
});
