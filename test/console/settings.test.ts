import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { ResendServer } from '../providers/messages/resend.ts';
import { StripeServer } from '../providers/stripe.ts';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('settings', () => {
  const mail = new ResendServer();
  const stripe = new StripeServer();
  const at = useConsole(async () => {
    await Promise.all([mail, stripe].map((server) => server.open(() => new Date())));
    return { ...mail.variables, ...stripe.variables };
  });
  afterAll(() => Promise.all([mail.close(), stripe.close()]));

  const query = (text: string) => at.console.store.database.query(text);
  const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();
  const saved = (page: Page) =>
    page.getByRole('status').getByText('The settings are saved').waitFor();

  long('come in one request, and saved changes show in the frame', async () => {
    const page = await at.console.open('/settings');
    await page.getByLabel('Name', { exact: true }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByLabel('Name', { exact: true }).fill('Toko Ayu');
    expect(asked.filter((path) => path.startsWith('/console/api/'))).toEqual([
      '/console/api/session',
      '/console/api/setup',
    ]);
    expect(await page.getByLabel('Currency').isDisabled()).toBe(true);
    await page.getByText('1 change not saved').waitFor();
    await expectAccessible(page);
    await save(page);
    await saved(page);
    await page.getByRole('link', { name: 'Toko Ayu' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  long('stop members from cancelling their own subscriptions', async () => {
    const page = await at.console.open('/settings/selling');
    await page.getByLabel(/^Members may cancel their own subscriptions/).uncheck();
    await save(page);
    await saved(page);
    const { rows } = await query('select members_cancel from settings');
    expect(rows).toEqual([{ members_cancel: false }]);
  });

  long(
    'show a preview of the shop, and give its pages the colour, the logo and the links',
    async () => {
      const page = await at.console.open('/settings/shop', { width: 390 });
      await page.getByLabel(/^Colour/).fill('#ffd000');
      await page.getByLabel('Terms').fill('https://demo.example/terms');
      await page.getByLabel('WhatsApp or phone').selectOption('off');
      await page.getByLabel('Upload a logo').setInputFiles({
        ...{ name: 'logo.png', mimeType: 'image/png' },
        buffer: Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
      });
      const preview = page.getByRole('img', { name: /^The checkout with/ });
      await preview.locator('img').waitFor();
      const button = preview.getByText('Place order');
      const colorOf = () => button.evaluate((node) => getComputedStyle(node).backgroundColor);
      await expect.poll(colorOf).toBe('rgb(255, 208, 0)');
      expect(await button.evaluate((node) => getComputedStyle(node).color)).toBe('rgb(0, 0, 0)');
      expect(await preview.getByText('Terms', { exact: true }).count()).toBe(1);
      expect(await preview.getByText('WhatsApp or phone').count()).toBe(0);
      await expectAccessible(page);
      await save(page);
      await saved(page);
      await page.goto(`${at.console.url}/`);
      await page.getByRole('link', { name: 'Terms' }).waitFor();
      await page.getByRole('link', { name: 'Gayo Coffee Beans' }).click();
      await expectAccessible(page);
      const buy = page.getByRole('link', { name: 'Buy' });
      expect(await buy.evaluate((node) => getComputedStyle(node).backgroundColor)).toBe(
        'rgb(255, 208, 0)',
      );
      await buy.click();
      await expectAccessible(page);
      expect(await page.locator('[name=phone]').count()).toBe(1);
    },
  );

  long('refuse a wrong value at its field', async () => {
    const page = await at.console.open('/settings');
    await page.getByLabel('Site').fill('https://demo.example/?page=1');
    await save(page);
    await page.getByText(/^Site must have no query/).waitFor();
    await expectAccessible(page);
  });

  long(
    'keep the typed value of a field that somebody else has changed meanwhile, and say so',
    async () => {
      const page = await at.console.open('/settings/selling');
      await page.getByLabel('Days for which a visit through a link counts').fill('45');
      await query('update settings set affiliate_link_days = 60, version = version + 1');
      await save(page);
      await page.getByText('Somebody else changed this meanwhile.').waitFor();
      const field = page.getByLabel('Days for which a visit through a link counts');
      expect(await field.inputValue()).toBe('45');
      await expectAccessible(page);
      await save(page);
      await saved(page);
      const { rows } = await query('select affiliate_link_days as days from settings');
      expect(rows).toEqual([{ days: 45 }]);
    },
  );

  long('keep typed values when the session ends, even after the page is loaded again', async () => {
    const page = await at.console.open('/settings');
    await page.getByLabel('Order numbers begin with').fill('TOKO-');
    await query('delete from console_sessions');
    await save(page);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    const link = new URL(await at.console.link());
    await page.goto('about:blank');
    await page.goto(`${at.console.url}/console/settings${link.hash}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('1 change not saved').waitFor();
    expect(await page.getByLabel('Order numbers begin with').inputValue()).toBe('TOKO-');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Order numbers begin with').inputValue()).toBe('INV-');
  });

  long(
    'say what each way to pay lacks, and ask a provider if it accepts the credentials',
    async () => {
      const page = await at.console.open('/settings/payments');
      await page.getByText(/DUITKU_MERCHANT_CODE, DUITKU_API_KEY/).waitFor();
      const check = page.getByRole('button', { name: 'Check Stripe' });
      await check.click();
      await page.getByText('It answered and accepts the credentials.').waitFor();
      await expectAccessible(page);
      stripe.fail('look', 'dropped');
      await check.click();
      await page.getByText('The check failed: no_answer.').waitFor();
      expect(stripe.references()).toEqual([]);
    },
  );

  long(
    'ask for a code before a bank account is changed, and then continue by themselves',
    async () => {
      const page = await at.console.open('/settings/payments', { width: 390 });
      await page.getByRole('button', { name: 'Add an account' }).click();
      const account = page.getByRole('group', { name: 'Account 3' });
      await account.getByLabel('Bank', { exact: true }).fill('Bank Baru');
      await account.getByLabel('Account number').fill('555');
      await account.getByLabel('Account holder').fill('Ayu');
      await query("update console_sessions set authenticated_at = now() - interval '11 minutes'");
      const before = mail.sent().length;
      await save(page);
      const dialog = page.getByRole('dialog', { name: 'Sign in again first' });
      await dialog.getByLabel('Code', { exact: true }).fill('000000');
      await expect.poll(() => mail.sent().length).toBe(before + 1);
      const code = /\b\d{6}\b/.exec(mail.sent().at(-1)?.text ?? '')?.[0] ?? '';
      const wrong = code === '000000' ? '111111' : '000000';
      await dialog.getByLabel('Code', { exact: true }).fill(wrong);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      const field = dialog.locator('.field', { hasText: 'This code is wrong' });
      await field.getByLabel('Code', { exact: true }).waitFor();
      expect(await dialog.getByRole('alert').count()).toBe(0);
      await expectAccessible(page);
      await field.getByLabel('Code', { exact: true }).fill(code);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await saved(page);
      const { rows } = await query('select jsonb_array_length(manual_accounts) as n from settings');
      expect(rows).toEqual([{ n: 3 }]);
    },
  );

  long('send a test through the sender, and show its outcome', async () => {
    const page = await at.console.open('/settings/messages');
    await page.getByText('Sent by resend.').waitFor();
    await page.getByRole('button', { name: 'Send a test by E-mail' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test by E-mail' });
    await dialog.getByLabel('E-mail address').fill('me@shop.example');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('The sender accepted it.').waitFor();
    expect(mail.sent().at(-1)?.to).toBe('me@shop.example');
    await expectAccessible(page);
  });

  long('fit a phone in the dark, in Indonesian', async () => {
    const page = await at.console.open('/settings', { width: 320, scheme: 'dark' });
    await page.evaluate(() => localStorage.setItem('console', '{"language":"id"}'));
    await page.reload();
    for (const part of ['Toko', 'Pembayaran', 'Pesan', 'Penjualan dan afiliasi', 'Konsol ini']) {
      const parts = page.getByRole('navigation', { name: 'Pengaturan' });
      await parts.getByRole('link', { name: part, exact: true }).click();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await expectAccessible(page);
    }
  });
});
