import { expect, test } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('unexpected payments', () => {
  const at = useConsole();

  test('Unexpected payments are told by the number of their order and the name of their way to pay', async () => {
    await at.console.store.database.query(
      `with session as (
         insert into payment_sessions (order_id, gateway, reference, amount, currency, status,
           paid_amount, refundable, expires_at, created_at, updated_at)
         select id, 'stripe', 'console-stray', grand_total, currency, 'paid', grand_total, true,
           now(), now(), now() from orders where number = 'INV-000060' returning *)
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
    await expectAccessible(page);
  });
});
