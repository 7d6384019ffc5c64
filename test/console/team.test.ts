import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { ResendServer } from '../providers/messages/resend.ts';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('a team', () => {
  const mail = new ResendServer();
  const at = useConsole(async () => {
    await mail.open(() => new Date());
    return mail.variables;
  });
  afterAll(() => mail.close());

  /** The newest sign-in link of a person, from its `#` on. */
  async function linkTo(email: string, after: number): Promise<string> {
    const found = () =>
      mail
        .sent()
        .slice(after)
        .flatMap(({ to, text }) => (to === email ? (/#link=\S+/.exec(text) ?? []) : []));
    await expect.poll(() => found().length).toBeGreaterThan(0);
    return found().at(-1) ?? '';
  }

  async function openLink(page: Page, link: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${at.console.url}/console/${link}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  }

  const navigation = (page: Page) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link').allInnerTexts();

  const helper = 'rani@helpers.example';

  long(
    'an owner on a phone signs in with the mailbox alone, and gives a helper the proofs and nothing else',
    async () => {
      const owner = 'ayu.lestari@demo.example';
      const page = await at.console.open('/', { as: null, width: 390 });
      await page.getByLabel('E-mail address').fill(owner);
      await expectAccessible(page);
      const before = mail.sent().length;
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByText(/^If ayu\.lestari@demo\.example belongs to somebody/).waitFor();
      await expectAccessible(page);
      await openLink(page, await linkTo(owner, before));

      await page.goto(`${at.console.url}/console/team/roles/new`);
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
      const invited = mail.sent().length;
      await page.getByRole('button', { name: 'Add somebody' }).click();
      const sheet = page.getByRole('dialog', { name: 'Rani' });
      await sheet.getByText('Proofs', { exact: true }).waitFor();
      await expectAccessible(page);

      const other = await at.console.open('/', { as: null });
      await openLink(other, await linkTo(helper, invited));
      expect(await navigation(other)).toEqual(['Home', 'Proofs']);
      await other.getByText('Only roles that read orders see figures.').waitFor();
      await other.goto(`${at.console.url}/console/proofs`);
      await other.getByRole('img', { name: /^Proof of payment of/ }).waitFor();
      await other.getByRole('button', { name: 'Approve' }).waitFor();
      expect(await other.locator('main a[href*="/orders/"]').count()).toBe(0);
      await other.goto(`${at.console.url}/console/orders`);
      await other.getByText(/This requires the permission “Read orders” \(orders:read\)/).waitFor();
      await expectAccessible(other);
      await other.goto(`${at.console.url}/console/settings`);
      await other.getByText('Only administrators see it.').waitFor();
    },
    120_000,
  );

  long('somebody without a role is answered like everybody, and gets no mail', async () => {
    const page = await at.console.open('/', { as: null, width: 320 });
    const before = mail.sent().length;
    await page.getByLabel('E-mail address').fill('nobody@people.example');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText(/^If nobody@people\.example belongs to somebody/).waitFor();
    await page.getByText('No mail, or no mailbox?').click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
    expect(mail.sent().length).toBe(before);
  });

  long(
    'somebody who loses their role is refused at the next request, and their sessions are ended',
    async () => {
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
      await dialog.getByRole('button', { name: 'Remove the role' }).click();
      await page.getByRole('status').getByText('The role of Rani is changed').waitFor();
      await page.getByRole('link', { name: 'Rani' }).waitFor({ state: 'detached' });
      await other.reload();
      await other.getByLabel('E-mail address').waitFor();
    },
  );

  long('the last administrator keeps the role', async () => {
    const page = await at.console.open('/team');
    await page.getByRole('link', { name: 'Ayu Lestari' }).click();
    await page
      .getByRole('dialog', { name: 'Ayu Lestari' })
      .getByRole('button', { name: 'Change role' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Change role' });
    await dialog.getByLabel('Role').selectOption('Orders');
    await dialog.getByRole('button', { name: 'Give this role' }).click();
    await dialog.getByText('last_administrator').waitFor();
  });

  long('fits a phone in the dark, in Indonesian', async () => {
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
