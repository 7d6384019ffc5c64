import { expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('the frame', () => {
  const at = useConsole();

  test('leads to every screen, each with its heading, by pointer and by keys', async () => {
    const page = await at.console.open('/');
    const names = [
      'Home',
      'Orders',
      'Proofs',
      'Products',
      'Coupons',
      'Customers',
      'Tree',
      'Subscriptions',
      'Licences',
      'Access',
      'Commissions',
      'Payouts',
      'Affiliates',
      'Figures',
      'Messages',
      'Team',
      'Settings',
      'API keys',
      'Webhooks',
      'Audit',
    ];
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    await links.first().waitFor();
    expect(await links.allInnerTexts()).toEqual(names);
    for (const [i, name] of names.entries()) {
      await links.nth(i).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · Demo store`);
    }
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/orders');
  });

  long('shows the list of orders for an unknown view', async () => {
    const page = await at.console.open('/orders?view=nothing');
    await page.locator('main table').waitFor();
  });

  long('A word in place of an id shows the list, and asks for no record', async () => {
    const page = await at.console.open('/');
    const wrong: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('NaN')) wrong.push(request.url());
    });
    const folders = [
      ...['orders', 'proofs', 'products', 'coupons', 'customers', 'tree', 'subscriptions'],
      ...['licences', 'access', 'access/content', 'payouts', 'affiliates', 'affiliates/figures'],
      ...['messages', 'team', 'team/roles', 'keys', 'webhooks', 'webhooks/word', 'audit'],
    ];
    for (const folder of folders) {
      await page.goto(`${at.console.url}/console/${folder}/word`);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.locator('body').innerText(), folder).not.toContain('NaN');
      expect(await page.getByRole('dialog').count(), folder).toBe(0);
    }
    expect(wrong).toEqual([]);
    await page.goto(`${at.console.url}/console/messages/templates`);
    await page.getByRole('link', { name: 'Templates', exact: true }).waitFor();
    expect(
      await page.getByRole('link', { name: 'Templates', exact: true }).getAttribute('aria-current'),
    ).toBe('page');
  });

  long('Without a sender of e-mail the team is promised no link', async () => {
    const page = await at.console.open('/team/new', { width: 360 });
    await page.getByText('No sender of e-mail is set up, so they get no link.').waitFor();
    await expectAccessible(page);
    await page.goto(`${at.console.url}/console/team`);
    await page.getByRole('link', { name: 'Ayu Lestari' }).click();
    await page.getByRole('button', { name: 'Send a sign-in link' }).click();
    await page.getByText('so no link can be sent').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });

  long('finds a customer by their e-mail address with the keyboard alone', async () => {
    const page = await at.console.open('/');
    // The heading appears before the frame.
    await page.getByRole('button', { name: /Ctrl K$/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search screens and records' })
      .fill('dewi.kartika@demo.example');
    await page
      .getByRole('option', { name: /Dewi Kartika/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/customers\/\d+$/);
  });

  long('finds customers, products, coupons and licences from anywhere', async () => {
    const page = await at.console.open('/');
    await page.getByRole('button', { name: /Ctrl K$/ }).waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search screens and records' });
    const { rows } = await at.console.store.database.query<{ text: string; path: string }>(
      `(select display_name as text, 'customers' as path from users where email = 'dewi.kartika@demo.example')
       union all (select title, 'products' from products limit 1)
       union all (select code, 'coupons' from coupons limit 1)
       union all (select string, 'licences' from license_activations limit 1)`,
    );
    for (const { text, path } of rows) {
      await search.fill(text);
      const group = page.getByRole('group', { name: path, exact: false });
      await group.getByRole('option').first().waitFor();
    }
    expect(rows).toHaveLength(4);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/licences\/\d+$/);
  });

  long('A screen has its heading before its code and its data are there', async () => {
    const page = await at.console.open('/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/*', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await page.locator('main [aria-busy]').count()).toBe(1);
    release();
    await page.locator('main [aria-busy]').waitFor({ state: 'detached' });
  });

  long('is shown in Indonesian, also after a reload', async () => {
    const page = await at.console.open('/');
    await page.getByRole('button', { name: 'Account of Ayu Lestari' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitemradio', { name: 'Bahasa Indonesia' }).click();
    await page.getByRole('link', { name: 'Pesanan', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Pesanan', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('id');
  });

  long('is used by touch at 320 pixels, without scrolling sideways', async () => {
    const page = await at.console.open('/sessions', { width: 320 });
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  long('has no single-key shortcuts once they are switched off', async () => {
    const page = await at.console.open('/');
    // The heading appears before the frame.
    await page.getByRole('button', { name: /Ctrl K$/ }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('switch', { name: /Single-key shortcuts/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search screens and records' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  });

  long(
    'a session that ends leads to the instructions for signing in, and so does signing out',
    async () => {
      const page = await at.console.open('/sessions');
      const own = page.getByRole('row').filter({ hasText: '(this one)' });
      await own.getByRole('button', { name: 'End the session of Ayu Lestari' }).click();
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
      const other = await at.console.open('/');
      await other.getByRole('button', { name: 'Account of Ayu Lestari' }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await other.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    },
  );
});
