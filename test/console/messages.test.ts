import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { ResendServer } from '../providers/messages/resend.ts';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Messages', () => {
  const mail = new ResendServer();
  const at = useConsole(async () => {
    await mail.open(() => new Date());
    return mail.variables;
  });
  afterAll(() => mail.close());
  const sheet = (page: Page) => page.getByRole('dialog');

  long(
    'A message is found by its kind, read as it was sent, and sent again in four clicks',
    async () => {
      const { database } = at.console.store;
      await database.query(
        `insert into messages (kind, medium, user_id, order_id, recipient, content, status, sender,
                             due_at, sent_at, created_at, updated_at, version)
       select 'order-completed', 'email', user_id, id, 'dewi.kartika@demo.example',
              jsonb_build_object('language', 'en', 'subject', 'Your order is done',
                                 'text', 'Your code is KEY-1.', 'html', null, 'from_name', 'Demo store',
                                 'approved', null, 'unsubscribe_url', null), 'sent', 'resend', now(), now(), now(), now(), 1
         from orders order by id limit 1`,
      );
      const page = await at.console.open('/');
      await page.getByRole('link', { name: 'Messages' }).click();
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('Order completed');
      await expect.poll(() => new URL(page.url()).search).toBe('?kind=order-completed');
      await page.getByRole('table', { name: 'Messages' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Your order is done' }).first().click();
      await sheet(page).getByText('Your code is KEY-1.', { exact: false }).waitFor();
      await expectAccessible(page);
      await sheet(page).getByRole('button', { name: 'Send again' }).click();
      await sheet(page).getByRole('button', { name: 'Send again' }).click();
      await page.getByRole('status').getByText('The message is sent again.').waitFor();
      expect(await clicksOf(page)).toBe(4);
    },
  );

  long(
    'A message by WhatsApp is listed by its kind, since all of them have the name of the store as their subject',
    async () => {
      await at.console.store.database.query(
        `insert into messages (kind, medium, user_id, order_id, recipient, content, status, sender,
                           due_at, sent_at, created_at, updated_at, version)
     select 'order-shipped', 'whatsapp', user_id, id, '+628125550100',
            jsonb_build_object('language', 'en', 'subject', 'Demo store', 'text', 'It is on its way.',
                               'html', null, 'from_name', 'Demo store', 'approved', null,
                               'unsubscribe_url', null), 'sent', 'fonnte', now(), now(), now(), now(), 1
       from orders order by id limit 1`,
      );
      const page = await at.console.open('/messages?medium=whatsapp');
      await page.getByRole('link', { name: 'Order shipped' }).waitFor();
      const table = page.getByRole('table', { name: 'Messages' });
      expect(await table.getByText('Demo store').count()).toBe(0);
    },
  );

  long('A reminder gets a rule, and a waiting reminder is cancelled', async () => {
    const page = await at.console.open('/messages?view=reminders');
    await page.getByRole('button', { name: 'New reminder' }).click();
    const dialog = page.getByRole('dialog');
    const hint = dialog.getByText('Most orders of the shop are cancelled two hours after');
    await hint.waitFor();
    await dialog.getByLabel('Occasion').selectOption('Before a subscription ends');
    expect(await hint.count()).toBe(0);
    await dialog.getByLabel('Days').fill('7');
    await dialog.getByLabel('Subject').fill('A week left');
    await dialog.getByLabel('Text').fill('Hello {{name}}');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'New reminder' }).click();
    await page.getByText('7 days before the subscription ends, at 09.00').waitFor();
    await page
      .getByRole('button', { name: /^Do not send: / })
      .first()
      .click();
    await page.getByRole('status').getByText('The reminder is not sent.').waitFor();
  });

  long('An address is no longer suppressed by a click', async () => {
    await at.console.store.database.query(
      `insert into message_suppressions (medium, address, reason, created_at)
       values ('email', 'gone@demo.example', 'bounced', now())`,
    );
    const page = await at.console.open('/messages?view=suppressed');
    await page.getByRole('cell', { name: 'Messages bounced' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send there again: gone@demo.example' }).click();
    await page.getByRole('status').getByText('go to gone@demo.example again').waitFor();
    await page.getByRole('heading', { name: 'No address is suppressed' }).waitFor();
  });

  long(
    'A template gets another Indonesian text with a preview, and the default text again, on a phone',
    async () => {
      const page = await at.console.open('/messages?view=templates', {
        width: 320,
        scheme: 'dark',
      });
      await page.getByRole('link', { name: 'Order placed' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Order placed' }).click();
      await page.getByLabel('Language of the text').selectOption('Indonesian');
      await page.getByLabel('Subject').fill('Pesanan {{order-number}} masuk');
      await page
        .getByRole('complementary')
        .getByText(/^Pesanan \S+ masuk$/)
        .waitFor();
      await expectAccessible(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').getByText('The template is saved.').waitFor();
      await page.getByRole('button', { name: 'Restore the default text' }).click();
      await page
        .getByRole('button', { name: 'Restore the default text' })
        .waitFor({ state: 'detached' });
      const { rows } = await at.console.store.database.query(
        `select texts from message_templates where kind = 'order-placed' and medium = 'email'`,
      );
      expect(rows).toEqual([{ texts: {} }]);
    },
  );
});
