import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('orders', () => {
  const at = useConsole();
  const rows = (page: Page) =>
    page
      .getByRole('table', { name: 'Orders' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
  const sheet = (page: Page) => page.getByRole('dialog');

  long(
    'are found by status and by e-mail address, and the filters are in the address',
    async () => {
      const page = await at.console.open('/orders');
      await page.getByRole('link', { name: /^Proof sent/ }).click();
      await page.waitForURL(/status=payment-confirm/);
      // The previous list stays until the new one has arrived.
      await expect.poll(() => rows(page).filter({ hasNotText: 'Proof sent' }).count()).toBe(0);
      await page.getByRole('cell', { name: 'Proof sent' }).first().waitFor();
      await page.getByRole('link', { name: /^All/ }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('dewi.kartika@demo.example');
      // The whole address: slow typing searches for parts.
      await page.waitForURL(/search=dewi\.kartika(@|%40)demo\.example$/);
      await expect.poll(() => rows(page).filter({ hasNotText: 'Dewi Kartika' }).count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Remove Search/ }).click();
      await page.getByText('Nanda Putri').first().waitFor();
    },
  );

  long('those of certain days are found, and the address names the days', async () => {
    const { rows: days } = await at.console.store.database.query<{ day: string; n: string }>(
      `select to_char(o.created_at at time zone s.timezone, 'YYYY-MM-DD') as day, count(*) as n
         from orders o, settings s where o.deleted_at is null group by 1 order by 1 limit 1`,
    );
    const { day = '', n = '' } = days[0] ?? {};
    const page = await at.console.open('/orders', { width: 390 });
    await page.getByLabel('Placed from').fill(day);
    await page.getByLabel('to', { exact: true }).fill(day);
    await page.waitForURL(new RegExp(`from=${day}&to=${day}$`));
    await expect.poll(() => rows(page).count()).toBe(Number(n));
    await expectAccessible(page);
  });

  long(
    'say that the buyer placed them in the shop, and name an erased buyer in Indonesian',
    async () => {
      const { rows: placed } = await at.console.store.database.query<{ id: string }>(
        `with entry as (update order_history set actor_type = 'system', actor_id = null
         where id = (select max(id) from order_history where "from" is null) returning order_id)
       update users set display_name = 'Deleted user' from entry join orders o on o.id = order_id
       where users.id = o.user_id returning o.id`,
      );
      const page = await at.console.open(`/orders/${placed[0]?.id}`);
      await sheet(page).getByText('by the buyer').waitFor();
      await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
      await page.reload();
      await sheet(page).getByText('Pengguna terhapus').waitFor();
      await sheet(page).getByText('oleh pembeli').waitFor();
    },
  );

  long('show all that goes on a parcel, and its courier', async () => {
    const { rows: shipped } = await at.console.store.database.query<{ id: string }>(
      `update orders set shipping = shipping || '{"receiver": "Sari", "phone": "0812 555 0100",
         "address": "Jl. Melati 5", "postal_code": "40111", "country": "ID", "courier": "JNE"}'
       where id = (select max(id) from orders where shipping is not null) returning id`,
    );
    const page = await at.console.open(`/orders/${shipped[0]?.id}`);
    await sheet(page).getByText('Sari, 0812 555 0100, Jl. Melati 5, 40111, ID').waitFor();
    await sheet(page).getByText(/^JNE/).first().waitFor();
  });

  long(
    'get their next status with a reason in three clicks, and their history shows the reason',
    async () => {
      const page = await at.console.open('/orders');
      await page.getByRole('link', { name: 'INV-000063' }).click();
      await sheet(page).getByRole('button', { name: 'Mark as paid' }).click();
      await sheet(page)
        .getByText('The order counts as paid and is completed.', { exact: false })
        .waitFor();
      await sheet(page).getByLabel('Reason').fill('Paid at the counter');
      await expectAccessible(page);
      await sheet(page).getByRole('button', { name: 'Mark as paid' }).click();
      await page.getByRole('status').getByText('INV-000063: Completed').waitFor();
      await sheet(page).getByRole('listitem').getByText('Paid at the counter').waitFor();
      expect(await clicksOf(page)).toBe(3);
    },
  );

  test('are refunded in part in three clicks, never by more than is left', async () => {
    const page = await at.console.open('/orders?status=completed');
    await page.getByRole('link', { name: 'INV-000061' }).click();
    await sheet(page).getByRole('button', { name: 'Refund a part' }).click();
    expect(await sheet(page).getByLabel('Amount').inputValue()).toBe('');
    await sheet(page).getByText('send it back yourself', { exact: false }).waitFor();
    await sheet(page).getByLabel('Amount').fill('9000');
    await sheet(page).getByLabel('Reason').fill('Came late');
    await sheet(page).getByRole('button', { name: 'Refund a part' }).click();
    await page.getByRole('status').getByText('of INV-000061 refunded', { exact: false }).waitFor();
    expect(await clicksOf(page)).toBe(3);
    await sheet(page).getByText('Came late').first().waitFor();
    // Reading the order again closes a form that was opened before.
    await sheet(page).getByRole('row', { name: 'After refunds' }).waitFor();
    await sheet(page).getByRole('button', { name: 'Refund a part' }).click();
    const refund = sheet(page).getByRole('button', { name: 'Refund a part' });
    await sheet(page).getByLabel('Amount').fill('9000');
    expect(await refund.isEnabled()).toBe(true);
    await sheet(page)
      .getByText(/9,000 of the /)
      .waitFor();
    await sheet(page).getByLabel('Amount').fill('99000000');
    expect(await refund.isDisabled()).toBe(true);
  });

  long(
    'show a refund as requested until it is made; a failed one waits on Home until it is paid by hand',
    async () => {
      const { database } = at.console.store;
      const page = await at.console.open('/orders?status=completed');
      await page.getByRole('link', { name: 'INV-000060' }).click();
      await sheet(page).getByRole('button', { name: 'Refund in full' }).click();
      await sheet(page).getByLabel('Reason').fill('Bought twice');
      await sheet(page).getByRole('button', { name: 'Refund in full' }).click();
      await page.getByRole('status').getByText('pay it back by hand').waitFor();
      // Makes a provider responsible for the refund.
      await database.query(
        `with session as (
         insert into payment_sessions (order_id, gateway, reference, amount, currency, status,
           paid_amount, refundable, expires_at, created_at, updated_at)
         select id, 'stripe', 'console-refund', grand_total, currency, 'paid', grand_total, true,
           now(), now(), now() from orders where number = 'INV-000060' returning *)
       insert into provider_refunds
         (session_id, refund_id, amount, state, made_there, created_at, updated_at)
       select session.id, refunds.id, refunds.amount, 'requested', false, now(), now()
         from session join refunds using (order_id)`,
      );
      await page.reload();
      await sheet(page).getByText('Refund requested').first().waitFor();
      expect(await sheet(page).getByText('Refunded', { exact: true }).count()).toBe(0);
      const history = sheet(page).locator('.history');
      await history.getByText(/^Refund .*: Requested$/).waitFor();
      await history.getByText('Bought twice').first().waitFor();
      await database.query(`update provider_refunds set state = 'failed'`);
      await page.goto(page.url().replace(/orders.*/, ''));
      await page.getByRole('link', { name: '1 failed refund to pay back by hand' }).click();
      await page.getByRole('cell', { name: 'INV-000060' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Paid back by hand/ }).click();
      await page.getByText('No failed refunds').waitFor();
    },
  );

  long('are listed on Home while their refunds by transfer are to be sent', async () => {
    const { database } = at.console.store;
    await database.query(
      `insert into refunds (order_id, amount, currency, actor_type, created_at)
       select id, 9000, currency, 'system', now() - days * interval '1 day'
         from orders, unnest(array[6, 8]) days where number = 'INV-000057'`,
    );
    const { rows } = await database.query<{ count: string }>(
      `select count(*) from refunds where created_at > now() - interval '7 days'
        and not exists (select from provider_refunds where refund_id = refunds.id)`,
    );
    const count = Number(rows[0]?.count);
    const page = await at.console.open('/', { width: 360 });
    await page
      .getByRole('link', { name: count === 1 ? '1 refund to send' : `${count} refunds to send` })
      .click();
    await page.getByText('INV-000057').first().waitFor();
    expect(await page.getByText('INV-000057').count()).toBe(1);
    await expectAccessible(page);
  });

  long('have their rare changes of status under More, with the effect of each', async () => {
    const page = await at.console.open('/orders?status=completed');
    await page.getByRole('link', { name: 'INV-000059' }).click();
    await sheet(page).getByRole('button', { name: 'Refund in full' }).waitFor();
    expect(
      await sheet(page)
        .getByRole('button', { name: /after all|Start work/ })
        .count(),
    ).toBe(0);
    await sheet(page).getByRole('button', { name: 'More' }).click();
    await expectAccessible(page);
    await sheet(page).getByRole('button', { name: 'Not completed after all' }).click();
    await sheet(page).getByText('The order is in progress again.', { exact: false }).waitFor();
  });

  long(
    'an order shows how to call its buyer, how it is paid and who did what, by name',
    async () => {
      const { database } = at.console.store;
      await database.query(`update users set phone = '0812-5550-147', version = version + 1`);
      await database.query(`update settings set country = 'ID'`);
      const page = await at.console.open('/orders?status=completed');
      await page.getByRole('link', { name: 'INV-000059' }).click();
      const href = (name: string) => sheet(page).getByRole('link', { name }).getAttribute('href');
      expect(await href('0812-5550-147')).toBe('tel:08125550147');
      expect(await href('WhatsApp')).toBe('https://wa.me/628125550147');
      const text = await sheet(page).innerText();
      expect(text).not.toMatch(/by (API key|user)|manual|\bcod\b/);
      expect(text).toMatch(/Bank transfer|Payment on delivery|Nothing to pay|Stripe/);
    },
  );

  long('a paid order that is cancelled is said to be paid back by hand', async () => {
    const { rows: found } = await at.console.store.database.query<{ number: string }>(
      `select number from orders where status = 'in-progress' and paid_at is not null limit 1`,
    );
    const number = found[0]?.number ?? '';
    const page = await at.console.open(`/orders?search=${number}`);
    await page.getByRole('link', { name: number }).click();
    await sheet(page).getByRole('button', { name: 'More' }).click();
    await sheet(page).getByRole('button', { name: 'Cancel and refund' }).click();
    await sheet(page).getByText('all that was paid counts as refunded', { exact: false }).waitFor();
    await sheet(page).getByRole('button', { name: 'Cancel and refund' }).click();
    await page.getByRole('status').getByText('pay it back by hand').waitFor();
  });

  long("another person's change in the meantime is not overwritten", async () => {
    const page = await at.console.open('/orders');
    await page.getByRole('link', { name: 'INV-000062' }).click();
    await sheet(page).getByRole('button', { name: 'Cancel order' }).click();
    await at.console.store.database.query(
      `update orders set note = 'changed', version = version + 1 where number = 'INV-000062'`,
    );
    await sheet(page).getByRole('button', { name: 'Cancel order' }).click();
    await sheet(page).getByText('rest_conflict').waitFor();
  });

  long('can be walked through and closed with the keyboard', async () => {
    const page = await at.console.open('/orders');
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet(page).getByRole('heading', { name: 'INV-000062' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await sheet(page).getByRole('heading', { name: 'INV-000061' }).waitFor();
    await page.keyboard.press('k');
    await sheet(page).getByRole('heading', { name: 'INV-000062' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/console/orders');
  });

  long(
    'show the records that each made, and the request by which an app would read them',
    async () => {
      const page = await at.console.open('/orders');
      await page.getByRole('link', { name: 'INV-000061' }).click();
      for (const name of ['Commissions', 'Access', 'History']) {
        await sheet(page).getByRole('heading', { name }).waitFor();
      }
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'As API' }).click();
      await page
        .getByRole('region', { name: 'curl orders.get', exact: true })
        .getByText('$KEY')
        .waitFor();
      await expectAccessible(page);
    },
  );

  long('are shown on a phone as cards, and in full', async () => {
    const page = await at.console.open('/orders', { width: 320 });
    await rows(page).first().waitFor();
    await expectAccessible(page);
    // Twenty-five cards of six lines would take 5,600.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3600);
    await page.getByRole('link', { name: 'INV-000061' }).click();
    await sheet(page).getByRole('heading', { name: 'History' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long('a shop manager reads them and is offered no change', async () => {
    const email = await at.console.shopManager();
    const page = await at.console.open('/orders', { as: email });
    await page.getByRole('link', { name: 'INV-000061' }).click();
    await sheet(page).getByRole('heading', { name: 'History' }).waitFor();
    expect(
      await sheet(page)
        .getByRole('button', { name: /Refund|Complete/ })
        .count(),
    ).toBe(0);
  });
});
