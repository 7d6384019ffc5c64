import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('API keys', () => {
  const at = useConsole();

  long(
    'a key is made from a preset and shown once, and its first request appears when it arrives',
    async () => {
      const page = await at.console.open('/keys');
      await page.getByRole('link', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('Landing page');
      await page.getByRole('button', { name: 'Read only' }).click();
      const orders = page.getByRole('group', { name: 'Orders', exact: true });
      await expect.poll(() => orders.getByLabel('Read orders.').isChecked()).toBe(true);
      expect(await orders.getByLabel(/^Delete orders/).isChecked()).toBe(false);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Waiting for its first request').waitFor();
      expect(await clicksOf(page)).toBe(3);
      await expectAccessible(page);
      const shown = page.getByRole('group', { name: 'API key' }).locator('code');
      const key = await shown.innerText();
      const headers = { authorization: `Bearer ${key}` };
      expect((await fetch(`${at.console.url}/api/svc/v1/orders`, { headers })).status).toBe(200);
      await page.getByText('Its first request has come.').waitFor();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      const sheet = page.getByRole('dialog', { name: 'Landing page' });
      await sheet.getByText('Read everything', { exact: true }).waitFor();
      expect(await page.getByText(key).count()).toBe(0);
      await expectAccessible(page);
    },
  );

  long(
    'can be narrowed and given a new secret, and are refused once they are revoked',
    async () => {
      const { id, token } = await at.console.store.createKey();
      const ask = async (key: string) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await fetch(`${at.console.url}/api/svc/v1/orders`, { headers })).status;
      };
      const page = await at.console.open('/keys');
      await page.locator(`a[href$="/keys/${id}"]`).click();
      const sheet = page.getByRole('dialog', { name: 'test' });
      await sheet.getByRole('link', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Read only' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await sheet.getByText('Read everything', { exact: true }).waitFor();
      await sheet.getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate' });
      await dialog
        .getByLabel('Keep the current secret working for')
        .selectOption('No time: it stops now');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Rotate' }).click();
      const secret = await dialog.locator('code').innerText();
      expect([await ask(token), await ask(secret)]).toEqual([401, 200]);
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
      await sheet.getByRole('button', { name: 'Revoke' }).click();
      await page
        .getByRole('dialog', { name: 'Revoke' })
        .getByRole('button', { name: 'Revoke' })
        .click();
      await page.getByRole('status').getByText('test is revoked').waitFor();
      expect(await ask(secret)).toBe(401);
    },
  );

  long('fit a phone', async () => {
    const page = await at.console.open('/keys/new', { width: 320, scheme: 'dark' });
    await page.getByRole('heading', { name: 'New API key' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });

  long('a shop manager sees no link to them', async () => {
    const email = await at.console.shopManager();
    const page = await at.console.open('/', { as: email });
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('link', { name: 'Webhooks' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  });
});
