import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Customers', () => {
  const at = useConsole();
  const sheet = (page: Page) => page.getByRole('dialog');

  long.each(['0812 5550 147', '+62 (812) 5550-147', '62812 5550147', 'dewi kart'])(
    'A customer is found by %s, with their orders, access and messages',
    async (typed) => {
      const { database } = at.console.store;
      await database.query(`update settings set country = 'ID'`);
      await database.query(
        `update users set phone = '0812-5550-147', version = version + 1 where email = 'dewi.kartika@demo.example'`,
      );
      const page = await at.console.open('/customers');
      await page.getByRole('searchbox').fill(typed);
      await page.getByRole('row', { name: /Nanda Putri/ }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Dewi Kartika' }).click();
      await sheet(page).getByRole('heading', { name: 'Orders' }).waitFor();
      await sheet(page).getByRole('link', { name: 'All orders' }).waitFor();
      expect(await sheet(page).getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).toBe(
        'https://wa.me/628125550147',
      );
    },
  );

  long('Access is granted in four clicks and shown in the sheet', async () => {
    const page = await at.console.open('/');
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('row', { name: /Nanda Putri/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('dewi.kartika@demo.example');
    await page.getByRole('row', { name: /Nanda Putri/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Dewi Kartika' }).click();
    await sheet(page).getByRole('button', { name: 'Grant access' }).click();
    await sheet(page).getByLabel('Product').selectOption('Invoice Desk');
    await sheet(page).getByLabel('Until').fill('2031-01-31');
    await sheet(page).getByLabel('Reason').fill('Won a prize');
    await expectAccessible(page);
    await sheet(page).getByRole('button', { name: 'Grant access' }).click();
    await page.getByRole('status').getByText('Dewi Kartika has access to Invoice Desk').waitFor();
    await sheet(page).getByText('31 Jan 2031, 23:59', { exact: false }).waitFor();
    expect(await clicksOf(page)).toBe(4);
  });

  long('The sheet of a customer shows who brought them in, and fits a phone', async () => {
    const { rows } = await at.console.store.database.query<{ id: string; above: string }>(
      `select users.id, sponsors.display_name as above from users
         join users sponsors on sponsors.id = users.affiliate_id limit 1`,
    );
    const [person] = rows;
    const page = await at.console.open(`/customers/${person?.id}`, { width: 320, scheme: 'dark' });
    await sheet(page)
      .getByRole('link', { name: person?.above ?? '' })
      .first()
      .click();
    await sheet(page)
      .getByRole('heading', { name: person?.above ?? '' })
      .waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long(
    'A customer gets another phone, which is kept while it is typed, and another group',
    async () => {
      await at.console.store.database.query(
        `update users set group_id = null, version = version + 1 where email = 'gita.putri@demo.example'`,
      );
      const page = await at.console.open('/customers?search=gita.putri@demo.example');
      await page.getByRole('link', { name: 'Gita Putri' }).click();
      await sheet(page).getByRole('button', { name: 'Edit' }).click();
      await sheet(page).getByLabel('Phone').fill('0812 3334 555');
      await sheet(page).getByLabel('Bank', { exact: false }).first().fill('BCA');
      await sheet(page).getByLabel('Bank code').fill('014');
      await sheet(page).getByLabel('Account number').fill('5550001');
      await sheet(page).getByLabel('Account holder').fill('Gita Putri');
      await page.reload();
      await sheet(page).getByRole('button', { name: 'Edit' }).click();
      await sheet(page).getByText('2 changes not saved').waitFor();
      await expectAccessible(page);
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await sheet(page).getByRole('link', { name: /3334/ }).waitFor();
      await sheet(page)
        .getByText(/5550001/)
        .waitFor();
      await sheet(page).getByRole('button', { name: 'Change the group' }).click();
      const groups = sheet(page).getByLabel('Group', { exact: true });
      await groups.selectOption({ index: 1 });
      await sheet(page).getByRole('button', { name: 'Change the group' }).click();
      await page.getByRole('status').getByText('The group of Gita Putri is changed.').waitFor();
      await sheet(page).getByRole('button', { name: 'End all sessions' }).click();
      await sheet(page).getByRole('button', { name: 'End all sessions' }).click();
      await page.getByRole('status').getByText('All sessions of Gita Putri are ended.').waitFor();
    },
  );

  long('A customer is made an affiliate, and stops being one', async () => {
    const { database } = at.console.store;
    const rolesOf = async () =>
      (
        await database.query<{ roles: string[] }>(
          `select roles from users where email = 'gita.putri@demo.example'`,
        )
      ).rows[0]?.roles;
    await database.query(
      `update users set roles = '{member}', version = version + 1 where email = 'gita.putri@demo.example'`,
    );
    const page = await at.console.open('/customers?search=gita.putri@demo.example', {
      width: 360,
    });
    await page.getByRole('link', { name: 'Gita Putri' }).click();
    const press = (name: string) => sheet(page).getByRole('button', { name }).click();
    await press('Make an affiliate');
    await expectAccessible(page);
    await press('Make an affiliate');
    await page.getByRole('status').getByText('Gita Putri is an affiliate.').waitFor();
    await sheet(page).getByText('member, affiliate').waitFor();
    expect(await rolesOf()).toEqual(['member', 'affiliate']);
    await press('Take away the affiliate role');
    await press('Take away the affiliate role');
    await page.getByRole('status').getByText('Gita Putri is no longer an affiliate.').waitFor();
    await sheet(page).getByRole('button', { name: 'Make an affiliate' }).waitFor();
    expect(await rolesOf()).toEqual(['member']);
  });

  long('A browser in which a customer is signed in to the shop is signed out alone', async () => {
    const { database } = at.console.store;
    await database.query(
      `insert into account_sessions (prefix, hash, user_id, created_at, expires_at)
       select 'phone' || n, '', id, now() - n * interval '1 hour', now() + interval '30 days'
         from users, generate_series(1, 2) n where email = 'dewi.kartika@demo.example'`,
    );
    const page = await at.console.open('/customers?search=dewi.kartika@demo.example', {
      width: 390,
    });
    await page.getByRole('link', { name: 'Dewi Kartika' }).click();
    const ends = sheet(page).getByRole('button', { name: /^End the session since/ });
    await ends.first().waitFor();
    await expectAccessible(page);
    await ends.first().click();
    await page.getByRole('status').getByText('The session was ended.').waitFor();
    await expect.poll(() => ends.count()).toBe(1);
    const { rows } = await database.query('select prefix from account_sessions');
    expect(rows).toEqual([{ prefix: 'phone2' }]);
  });

  long('A person in the tree is shown with the commission of the branch', async () => {
    const { rows } = await at.console.store.database.query<{ id: string; orders: string }>(
      `select affiliate_id as id, count(distinct order_id) as orders from commissions
        where kind = 'sale' and status <> 'cancelled' and deleted_at is null
        group by 1 order by max(tier) desc, 2 desc limit 1`,
    );
    const page = await at.console.open(`/tree/${rows[0]?.id}`);
    const facts = page.locator('section', { hasText: 'Commission from this branch' });
    await facts.getByText('From this person’s own sales').waitFor();
    await facts
      .getByRole('definition')
      .getByText(rows[0]?.orders ?? '', { exact: true })
      .waitFor();
    await expectAccessible(page);
  });

  long('The tree opens level by level, and leads up by a path, also on a phone', async () => {
    const { rows } = await at.console.store.database.query<
      Record<'top' | 'middle' | 'low', string>
    >(
      `select tops.display_name as top, middles.display_name as middle, users.display_name as low
         from users join users middles on middles.id = users.affiliate_id
         join users tops on tops.id = middles.affiliate_id and tops.affiliate_id is null
        order by users.id limit 1`,
    );
    const { top = '', middle = '', low = '' } = rows[0] ?? {};
    const page = await at.console.open('/', { width: 320, scheme: 'dark' });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Tree' }).click();
    await page.getByRole('searchbox').fill(top);
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: top }).click();
    await page.getByRole('button', { name: new RegExp(`Directly below ${middle}`) }).click();
    await page.getByRole('link', { name: low, exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: low, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: low }).waitFor();
    await page.getByRole('list').getByRole('link', { name: middle }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  });

  long('Nobody erases a person with a role, or without the scope', async () => {
    const page = await at.console.open('/customers?search=ayu.lestari@demo.example');
    await page.getByRole('link', { name: 'Ayu Lestari' }).click();
    await sheet(page).getByRole('button', { name: 'Edit' }).waitFor();
    expect(await sheet(page).getByRole('button', { name: 'Erase' }).count()).toBe(0);
    const manager = await at.console.open('/customers?search=nanda', {
      as: await at.console.shopManager(),
    });
    await manager.getByRole('link', { name: 'Nanda Putri' }).click();
    await sheet(manager).getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await sheet(manager).getByRole('button', { name: 'Erase' }).count()).toBe(0);
  });

  long(
    'A person is erased after a confirmation that says what is erased and what stays',
    async () => {
      const { database } = at.console.store;
      const page = await at.console.open('/customers?search=nanda.putri@demo.example', {
        width: 360,
      });
      await page.getByRole('link', { name: 'Nanda Putri' }).click();
      const { rows } = await database.query<{ id: string }>(
        `select id from users where email = 'nanda.putri@demo.example'`,
      );
      await sheet(page).getByRole('button', { name: 'Erase' }).click();
      const asked = page.getByRole('dialog', { name: 'Erase Nanda Putri?' });
      await asked.getByText('Erased for good: name').waitFor();
      await asked.getByText('What stays: orders').waitFor();
      await expectAccessible(page);
      await asked.getByRole('button', { name: 'Erase' }).click();
      await page.getByRole('status').getByText('Nanda Putri is erased.').waitFor();
      await page.getByText('Nobody matches').waitFor();
      const { rows: after } = await database.query<{ status: string; email: string | null }>(
        'select status, email from users where id = $1',
        [rows[0]?.id],
      );
      expect(after).toEqual([{ status: 'anonymised', email: null }]);
    },
  );
});
