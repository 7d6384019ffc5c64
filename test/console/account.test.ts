import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { long } from '../harness/long.ts';

const opened = useConsole();

/** Returns a member of the demo store with a running subscription, another one for each place. */
async function subscriber(place: number) {
  const { store } = opened.console;
  store.clock.set(new Date().toISOString());
  const { rows } = await store.database.query<{ id: string; user_id: string; title: string }>(
    `select s.id, s.user_id, p.title from subscriptions s join products p on p.id = s.product_id
       join users u on u.id = s.user_id
      where s.status = 'active' and s.cancelled_at is null and u.staff_role_id is null
        and not u.roles @> '{administrator}' and (s.end_date is null or s.end_date > now())
      order by s.user_id, s.id offset $1 limit 1`,
    [place],
  );
  const [found] = rows;
  if (!found) throw new Error('The demo store has too few subscriptions.');
  const api = await store.key();
  await store.database.query(`update settings set affiliate_sign_up = true`);
  const { body } = await api.post(`/users/${found.user_id}/account-link`);
  return { ...found, url: body.data.url as string };
}

inBrowser('The account', () => {
  long.each([
    { width: 320, scripts: true, place: 0 },
    { width: 1280, scripts: true, place: 1 },
    { width: 320, scripts: false, place: 2 },
    { width: 1280, scripts: false, place: 3 },
  ])(
    'shows and changes the member’s own records at a width of $width, scripts: $scripts',
    async ({ width, scripts, place }) => {
      const { console } = opened;
      const check = async (page: Page) => {
        if (!scripts) return;
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(
          false,
        );
      };
      const { id, title, url } = await subscriber(place);
      const page = await console.open('/', { as: null, width, scripts });
      await page.goto(`${console.url}/account`);
      await check(page);
      await page.goto(url);
      await check(page);
      await page.getByRole('button', { name: 'Sign in as' }).click();
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      await check(page);
      await page.goto(`${console.url}/account/subscriptions/${id}`);
      await check(page);
      await page.getByRole('button', { name: `Cancel ${title}` }).click();
      await page.getByRole('button', { name: `Keep ${title}` }).click();
      await page.getByRole('button', { name: `Cancel ${title}` }).waitFor();
      await page.getByRole('link', { name: 'Your details' }).click();
      await page.getByLabel('Name').fill('Wati Baru');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your changes are saved.').waitFor();
      await check(page);
      await page.getByRole('link', { name: 'Affiliate' }).click();
      await check(page);
      const join = page.getByRole('button', { name: 'Become an affiliate' });
      if (await join.isVisible()) await join.click();
      await page.getByText('Your links').waitFor();
      await check(page);
      await page.getByRole('link', { name: 'Your details' }).click();
      await page.getByLabel('Account number').fill('5501234700');
      await page.getByLabel('Bank', { exact: true }).fill('BCA');
      await page.getByLabel('Bank code').fill('014');
      await page.getByLabel('Account holder').fill('Wati');
      await page.getByRole('button', { name: 'Save the bank account' }).click();
      await page.getByText('Your changes are saved.').waitFor();
      await check(page);
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.locator('a[href^="/account/orders/"]').first().click();
      await page.getByRole('heading', { name: 'Order' }).first().waitFor();
      await check(page);
      await page.goto(`${console.url}/account/details`);
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('button', { name: 'Send me a sign-in link' }).waitFor();
    },
  );
});
