import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('the audit log', () => {
  const at = useConsole();

  long('shows who changed what, before and after, and can be filtered by record', async () => {
    const page = await at.console.open('/orders');
    await page.getByRole('link', { name: 'INV-000062' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    // “Cancelled if unpaid” also contains this word, so the toast is awaited.
    await page.getByRole('status').getByText('INV-000062: Cancelled').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('link', { name: 'Order INV-000062 changed' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Ayu Lestari').waitFor();
    const row = sheet.getByRole('row', { name: /^status/ });
    await row.getByRole('cell', { name: 'To pay' }).waitFor();
    await row.getByRole('cell', { name: 'Cancelled' }).waitFor();
    await expectAccessible(page);
    await sheet.getByRole('link', { name: 'All changes to this record' }).click();
    await page.getByRole('button', { name: 'Remove Record Order INV-000062' }).waitFor();
    await page.getByRole('link', { name: 'Order INV-000062 changed' }).waitFor();
  });

  long(
    'names keys, records and what they refer to, and leads to them, in both languages',
    async () => {
      const { rows } = await at.console.store.database.query<{ name: string }>(
        `select name from api_keys where id =
         (select actor_id from audit_log where actor_type = 'key' and operation = 'refunds.create' limit 1)`,
      );
      const key = rows[0]?.name ?? '';
      await at.console.store.database.query(
        `insert into audit_log (at, actor_type, actor_id, operation, subject_type, subject_id, before, after)
       values (now(), 'key', (select id from api_keys where name = $1), 'orders.update', 'orders', '45',
         '{"affiliate_id": null, "attribution": {"source": "none", "affiliate_id": null}}',
         '{"affiliate_id": 2, "attribution": {"source": "explicit", "affiliate_id": 2}, "product_id": 1}')`,
        [key],
      );
      const page = await at.console.open('/audit');
      await page.getByRole('link', { name: /^Refund INV-\d+ created$/ }).waitFor();
      await page.getByRole('link', { name: 'Order INV-000045 changed' }).first().click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('link', { name: `Key ${key}` }).waitFor();
      await sheet.getByRole('link', { name: 'Budi Santoso' }).first().waitFor();
      await sheet
        .getByRole('row', { name: /^product / })
        .getByRole('link')
        .waitFor();
      await sheet.getByText('came by').waitFor();
      await expectAccessible(page);
      await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
      await page.reload();
      await sheet.getByRole('link', { name: `Kunci ${key}` }).waitFor();
      await sheet.getByText('sumber: disebut penjual').waitFor();
      await sheet.getByRole('link', { name: `Kunci ${key}` }).click();
      await page.getByRole('heading', { name: key }).waitFor();
    },
  );

  long('says who signed in, from where and with what, in English and Indonesian', async () => {
    const page = await at.console.open('/', { as: null });
    const link = await at.console.link();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('link', { name: 'Sign-in link created for Ayu Lestari' }).waitFor();
    await page.getByRole('link', { name: 'Signed in to the console' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Ayu Lestari').waitFor();
    await sheet.getByRole('row', { name: /^browser .*Chrome/ }).waitFor();
    await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
    await page.goto(`${at.console.url}/console/audit`);
    await page.getByRole('link', { name: 'Masuk ke konsol' }).waitFor();
    await page.getByRole('link', { name: 'Tautan masuk dibuat untuk Ayu Lestari' }).waitFor();
  });

  long('fits a phone', async () => {
    const page = await at.console.open('/audit', { width: 320, scheme: 'dark' });
    await page.getByRole('table', { name: 'Audit' }).waitFor();
    await expectAccessible(page);
  });
});
