import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('a team', () => {
  const at = useConsole();

  const navigation = (page: Page) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link').allInnerTexts();

  const helper = 'rani@helpers.example';

  test('an owner gives a helper the proofs and nothing else', async () => {
    const page = await at.console.open('/team/roles/new', { width: 390 });
    await page.getByLabel('Name', { exact: true }).fill('Proofs');
    const proofs = page.getByRole('group', { name: 'Payment confirmations' });
    await proofs.getByLabel(/^Read payment confirmations/).check();
    await proofs.getByLabel(/^Create and review/).check();
    expect(await page.getByLabel(/^Issue and revoke user-session/).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create role' }).click();
    await page
      .getByRole('table', { name: 'Roles' })
      .getByRole('link', { name: 'Proofs' })
      .waitFor();

    await page.goto(`${at.console.url}/console/team/new`);
    await page.getByLabel('E-mail').fill(helper);
    await page.getByLabel('Name').fill('Rani');
    await page.getByLabel('Role').selectOption('Proofs');
    await page.getByText('read payment confirmations; write payment confirmations').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add somebody' }).click();
    const sheet = page.getByRole('dialog', { name: 'Rani' });
    await sheet.getByText('Proofs', { exact: true }).waitFor();
    await expectAccessible(page);

    const other = await at.console.open('/proofs', { as: helper });
    await other.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await navigation(other)).toEqual(['Home', 'Proofs']);
    expect(await other.locator('main a[href*="/orders/"]').count()).toBe(0);
    await other.getByRole('link', { name: 'Home' }).click();
    await other.getByText('Figures are for roles that read orders.').waitFor();
    await other.goto(`${at.console.url}/console/orders`);
    await other.getByText(/It takes the permission “Read orders” \(orders:read\)/).waitFor();
    await expectAccessible(other);
    await other.goto(`${at.console.url}/console/settings`);
    await other.getByText('Only administrators see it.').waitFor();
  }, 60_000);

  test('a role is taken from somebody, whose sessions are ended', async () => {
    const page = await at.console.open('/team');
    const other = await at.console.open('/proofs', { as: helper });
    await other.getByRole('heading', { name: 'Proofs' }).waitFor();
    await page.getByRole('link', { name: 'Rani' }).click();
    const sheet = page.getByRole('dialog', { name: 'Rani' });
    await sheet.getByText('Unknown browser').first().waitFor();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'End all' }).click();
    await sheet.getByText('Not signed in anywhere.').waitFor();
    await sheet.getByRole('button', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change role' });
    await dialog.getByLabel('Role').selectOption('No role');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Take the role' }).click();
    await page.getByRole('status').getByText('The role of Rani is changed').waitFor();
    await page.getByRole('link', { name: 'Rani' }).waitFor({ state: 'detached' });
    await other.reload();
    await other.getByRole('heading', { name: 'You need a link to sign in' }).waitFor();
  });

  test('the last administrator stays one', async () => {
    const page = await at.console.open('/team');
    await page.getByRole('link', { name: 'Ayu Lestari' }).click();
    const sheet = page.getByRole('dialog', { name: 'Ayu Lestari' });
    await sheet.getByRole('button', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change role' });
    await dialog.getByLabel('Role').selectOption('Orders');
    await dialog.getByRole('button', { name: 'Give this role' }).click();
    await dialog.getByText('last_administrator').waitFor();
  });

  test('fits a phone in the dark, in Indonesian', async () => {
    const page = await at.console.open('/team', { width: 320, scheme: 'dark' });
    await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
    for (const path of ['/team', '/team/roles', '/team/new', '/team/roles/1']) {
      await page.goto(`${at.console.url}/console${path}`);
      await page.locator('main').getByRole('table').or(page.locator('main form')).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await expectAccessible(page);
    }
  });
});
