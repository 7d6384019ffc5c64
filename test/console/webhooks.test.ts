import { expect } from 'vitest';
import { Receiver } from '../kernel/events/receiver.ts';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('webhooks', () => {
  const at = useConsole();

  long(
    'can be created and tested; a failing one is shown on the first screen, and resent once it works again',
    async () => {
      const receiver = new Receiver();
      await receiver.open();
      receiver.answer = () => ({ status: 500, body: 'Out of order' });
      const page = await at.console.open('/webhooks');
      await page.getByRole('link', { name: 'Create webhook' }).click();
      await page.getByLabel('Name').fill('Warehouse');
      await page.getByLabel('Address').fill(receiver.url('/hook'));
      await page.getByLabel('Every event, including future ones').click();
      await page.getByLabel('product.*').click();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const secret = page.getByRole('group', { name: 'Signing secret' }).locator('code');
      expect(await secret.innerText()).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('button', { name: 'Send test' }).click();
      const failing = page.getByRole('region', { name: 'The last attempt failed' });
      await failing.getByText('Out of order').waitFor();
      await expectAccessible(page);

      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('link', { name: '1 webhook is failing' }).waitFor();
      const before = await clicksOf(page);
      receiver.answer = () => ({});
      await page.getByRole('link', { name: '1 webhook is failing' }).click();
      await failing.getByRole('button', { name: 'Resend' }).click();
      await failing.waitFor({ state: 'detached' });
      expect((await clicksOf(page)) - before).toBe(2);
      expect(receiver.at('/hook').map(({ json }) => json.event)).toEqual(['ping', 'ping']);

      const list = page.getByRole('table', { name: 'Deliveries' });
      await page.getByRole('combobox', { name: 'Answer' }).selectOption('5xx');
      await page.waitForURL(/code=5xx/);
      await expect.poll(() => list.getByRole('link').count()).toBe(1);
      await list.getByRole('link', { name: 'ping' }).click();
      const sheet = page.getByRole('dialog', { name: 'ping' });
      await sheet.getByText('"event": "ping"').waitFor();
      await sheet.getByText('Out of order').waitFor();
      await expectAccessible(page);
      await receiver.close();
    },
  );

  long(
    'can get the events since a moment again, after their number is shown, and can be changed',
    async () => {
      const receiver = new Receiver();
      await receiver.open();
      const { token } = await at.console.store.createKey();
      const api = `${at.console.url}/api/svc/v1`;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const post = async (path: string, body: object) => {
        const sent = { method: 'POST', headers, body: JSON.stringify(body) };
        return (await (await fetch(api + path, sent)).json()) as { data: { id: number } };
      };
      const { data } = await post('/webhooks', {
        url: receiver.url('/replay'),
        events: ['product.*'],
      });
      await post('/products', { title: 'Tea', price: 1000 });
      await expect.poll(() => receiver.at('/replay').length).toBe(1);
      const page = await at.console.open(`/webhooks/${data.id}`);
      await page.getByRole('button', { name: 'Replay' }).click();
      const dialog = page.getByRole('dialog', { name: 'Replay' });
      await dialog.getByText(/^\d+ events? will be sent\.$/).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await page.getByRole('status').getByText('They are being sent').waitFor();
      await expect.poll(() => receiver.at('/replay').length).toBeGreaterThan(1);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Name').fill('Replayed');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Replayed' }).waitFor();
      await receiver.close();
    },
  );

  long('fit a phone', async () => {
    const page = await at.console.open('/webhooks', { width: 320, scheme: 'dark' });
    await page.getByRole('link').first().waitFor();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });
});
