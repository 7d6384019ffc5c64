import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { Receiver } from '../kernel/events/receiver.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('somebody who has never seen the console', () => {
  const at = useConsole();

  const fits = async (page: Page, width: number) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    await expectAccessible(page);
  };

  /** Goes to a screen; on a phone the navigation is behind a button. */
  const goTo = async (page: Page, name: string) => {
    const menu = page.getByRole('button', { name: 'Open navigation' });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };

  /** A webhook with a failed delivery, whose receiver works again. */
  async function brokenWebhook(receiver: Receiver, path: string): Promise<void> {
    const { token } = await at.console.store.createKey();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = async (address: string, body: object) => {
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${at.console.url}/api/svc/v1${address}`, request);
      return (await response.json()) as { data: { id: number } };
    };
    receiver.answer = () => ({ status: 503, body: 'Back soon' });
    const { data } = await post('/webhooks', {
      name: path,
      url: receiver.url(path),
      events: ['product.*'],
    });
    await post(`/webhooks/${data.id}/test`, {});
    await expect.poll(() => receiver.at(path).length).toBe(1);
    receiver.answer = () => ({});
  }

  // The first proof matches its order, the second one does not.
  const places = [
    { place: 'at a desk', width: 1280, matches: true },
    { place: 'on a phone', width: 390, matches: false },
  ];

  long.each(places)(
    'signs in, creates a key, approves a proof and resends failed deliveries: $place',
    async ({ width, matches }) => {
      const receiver = new Receiver();
      await receiver.open();
      const path = `/hook-${width}`;
      await brokenWebhook(receiver, path);
      const page = await at.console.open('/', { as: null, width });
      const link = await at.console.link();
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      await fits(page, width);

      await goTo(page, 'API keys');
      await page.getByRole('link', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill(`Shop ${width}`);
      await page.getByRole('button', { name: 'Checkout backend' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      const key = await page.getByRole('group', { name: 'API key' }).locator('code').innerText();
      await fits(page, width);
      const headers = { authorization: `Bearer ${key}` };
      await fetch(`${at.console.url}/api/svc/v1/orders?per_page=1`, { headers });
      await page.getByText('Its first request has come.').waitFor();

      await goTo(page, 'Home');
      await page.getByRole('link', { name: /payment proofs? to review/ }).click();
      await page.getByRole('img', { name: /^Proof of payment of/ }).waitFor();
      await fits(page, width);
      await page.getByRole('button', { name: 'Approve' }).click();
      if (!matches) await page.getByRole('button', { name: 'Approve anyway' }).click();
      await page
        .getByRole('status')
        .getByText(/is paid$/)
        .first()
        .waitFor();

      await goTo(page, 'Home');
      await page.getByRole('link', { name: '1 webhook is failing' }).click();
      await page.getByRole('heading', { name: path }).waitFor();
      await fits(page, width);
      await page.getByRole('button', { name: 'Resend' }).click();
      await page
        .getByRole('region', { name: 'The last attempt failed' })
        .waitFor({ state: 'detached' });
      expect(receiver.at(path)).toHaveLength(2);
      await receiver.close();
    },
    // A whole first day takes many steps.
    180_000,
  );
});
