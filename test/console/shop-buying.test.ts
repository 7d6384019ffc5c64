import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { formOf } from '../harness/client.ts';
import { pictures } from '../lib/pictures.ts';
import { providerNames, providers } from '../providers/index.ts';
import { ResendServer } from '../providers/messages/resend.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { long } from '../harness/long.ts';

const mail = new ResendServer();
const tills = (inject('isLong') ? providerNames : ['midtrans']).flatMap(
  (name) => providers[name]?.() ?? [],
);
const opened = useConsole(async () => {
  await Promise.all([mail, ...tills].map((server) => server.open(() => new Date())));
  return Object.assign({}, mail.variables, ...tills.map(({ variables }) => variables));
});
afterAll(() => Promise.all([mail, ...tills].map((server) => server.close())));

/** Browsers of buyers: their width, and if they run scripts. */
const browsers = inject('isLong')
  ? ([390, 1280] as const).flatMap((width) => [true, false].map((scripts) => ({ width, scripts })))
  : [{ width: 390, scripts: false }];

let token: string;
beforeAll(async () => {
  const { store } = opened.console;
  store.clock.set(new Date().toISOString());
  ({ token } = await store.createKey());
});

async function api(method: string, path: string, body?: object) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${opened.console.url}/api/svc/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const { data, ...rest } = (await answer.json()) as {
    data: Record<string, unknown>[] & Record<string, unknown>;
  };
  if (!answer.ok) throw new Error(JSON.stringify(rest));
  return data;
}

const productOf = async (title: string) => {
  const found = await api('GET', `/products?search=${encodeURIComponent(title)}`);
  return found[0] as { id: number; slug: string };
};

const orderOf = async (email: string) => {
  const { rows } = await opened.console.store.database.query<{ id: string; user_id: string }>(
    'select o.id, o.user_id from orders o join users u on u.id = o.user_id where u.email = $1',
    [email],
  );
  return { id: Number(rows[0]?.id), user_id: Number(rows[0]?.user_id), orders: rows.length };
};

async function check(page: Page, { scripts }: { readonly scripts: boolean }): Promise<void> {
  // axe needs scripts in the page.
  if (scripts) await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
}

let people = 0;

/** Opens the checkout of a product and fills in the fields for a new buyer. */
async function enter(title: string, browser: (typeof browsers)[number]) {
  const { slug } = await productOf(title);
  const page = await opened.console.open('/', { as: null, ...browser });
  await page.goto(`${opened.console.url}/checkout/${slug}`);
  const email = `buyer-${(people += 1)}@people.example`;
  await page.getByLabel('Name').fill('Dewi Kartika');
  await page.getByLabel('E-mail').fill(email);
  return { page, email, order: () => orderOf(email) };
}

const place = (page: Page) => page.getByRole('button', { name: /^(Place order|Order for free)$/ });

inBrowser('A buyer', () => {
  long(
    'sees the total of the last choice, even if the one before is answered after it',
    async () => {
      const browser = { width: 390, scripts: true };
      const { page } = await enter('Gayo Coffee Beans', browser);
      const held = Promise.withResolvers<void>();
      let requests = 0;
      await page.route('**/checkout/*', async (route) => {
        if (++requests === 1) await held.promise;
        await route.continue();
      });
      await page.getByLabel('Grind').selectOption('ground');
      const coupon = page.getByLabel('Coupon');
      await coupon.fill('HEMAT10');
      await coupon.press('Tab');
      const lines = page.locator('.lines');
      await expect.poll(() => lines.textContent()).toContain('HEMAT10');
      const late = page.waitForResponse('**/checkout/*');
      held.resolve();
      await (await late).finished();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(await lines.textContent()).toContain('HEMAT10');
    },
  );

  test.each(browsers)(
    'pays goods with a variant, a coupon and shipping by transfer, and comes back by the link (%o)',
    async (browser) => {
      const { page, order } = await enter('Gayo Coffee Beans', browser);
      await page.getByLabel('Grind').selectOption('ground');
      const coupon = page.getByLabel('Coupon');
      await coupon.fill('HEMAT10');
      // The script asks for the total when the buyer leaves the field.
      if (browser.scripts) await coupon.press('Tab');
      else await page.getByRole('button', { name: 'Update the total' }).last().click();
      await expect.poll(() => page.locator('.lines').textContent()).toContain('HEMAT10');
      await page.getByRole('radio', { name: /REG/ }).check();
      await page.getByLabel('WhatsApp or phone').fill('0812 3456 7890');
      await page.getByLabel('Address').fill('Jl. Merdeka 1');
      await check(page, browser);
      await place(page).click();
      await page.getByText('Transfer exactly this amount').waitFor();
      await check(page, browser);
      const link = page.url();
      const { id, orders } = await order();
      expect(orders).toBe(1);
      const later = await opened.console.open('/', { as: null, ...browser });
      await later.goto(link);
      const file = { name: 'receipt.png', mimeType: 'image/png' };
      await later
        .getByLabel('Proof of payment')
        .setInputFiles({ ...file, buffer: Buffer.from(pictures.png) });
      await later.getByRole('button', { name: 'Send the proof' }).click();
      await later.getByText('Your proof of payment has arrived').waitFor();
      await api('PATCH', `/orders/${id}`, { status: 'completed' });
      await page.goto(link);
      await page.getByText('your payment has arrived').waitFor();
      await check(page, browser);
    },
  );

  long.each(tills.flatMap((till) => browsers.map((browser) => ({ till: till.id, ...browser }))))(
    'pays at $till and has access after it (width $width, scripts $scripts)',
    async ({ till: id, ...browser }) => {
      const till = tills.find((each) => each.id === id);
      if (!till) throw new Error(`There is no provider ${id}.`);
      const { console } = opened;
      const [currency, exponent] = 'IDR' in till.units ? ['IDR', 0] : ['USD', 2];
      await console.store.database.query(
        'update settings set currency = $1, currency_exponent = $2, version = version + 1',
        [currency, exponent],
      );
      const { page } = await enter('Selling Online, the Course', browser);
      await page.locator(`[name=pay][value="${id}"]`).check();
      await place(page).click();
      await page.getByRole('button', { name: /^Pay with/ }).click();
      const onward = page.getByRole('link', { name: /^Continue to/ });
      expect(await onward.getAttribute('target')).toBe('_top');
      expect(await onward.getAttribute('href')).toMatch(/^https?:/);
      await check(page, browser);
      const link = page.url().split('?')[0] ?? '';
      till.pay(till.references().at(-1) ?? '');
      for (const callback of till.takeCallbacks(`${console.url}/api/svc/v1`)) await fetch(callback);
      await page.goto(link);
      await page.getByText('your payment has arrived').waitFor();
      await page.getByRole('heading', { name: 'Your access' }).waitFor();
      await check(page, browser);
    },
  );

  long('comes back from the page of a provider, and sees that the payment arrived', async () => {
    const { console } = opened;
    const [till] = tills;
    if (!till) throw new Error('There is a provider.');
    const browser = { width: 360, scripts: true };
    const { page } = await enter('Selling Online, the Course', browser);
    await page.locator(`[name=pay][value="${till.id}"]`).check();
    await place(page).click();
    await page.getByRole('button', { name: /^Pay with/ }).click();
    await page.getByRole('link', { name: /^Continue to/ }).waitFor();
    await check(page, browser);
    const reference = till.references().at(-1) ?? '';
    till.pay(reference);
    // The provider is asked about a state that is older than ten seconds.
    await console.store.database.query(
      `update payment_sessions set updated_at = updated_at - interval '11 seconds' where reference = $1`,
      [reference],
    );
    await page.goto(`${page.url()}?payment=${reference}`);
    await page.getByText('your payment has arrived').waitFor();
    await check(page, browser);
  });

  long.each(browsers)('gets a free product behind the link in the mail (%o)', async (browser) => {
    const { page, email, order } = await enter('First Lesson, free', browser);
    await place(page).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await check(page, browser);
    expect((await order()).orders).toBe(0);
    const link = () =>
      mail
        .sent()
        .find(({ to }) => to === email)
        ?.text.match(/http\S+\/checkout\/\S+/)?.[0];
    await expect.poll(link).toBeDefined();
    await page.goto(link() ?? '');
    await page.getByText('Confirmed').waitFor();
    await check(page, browser);
    await place(page).click();
    await page.getByText('Completed').waitFor();
    await check(page, browser);
    expect((await order()).orders).toBe(1);
  });

  long.each(browsers)(
    'downloads a file, cancels a subscription, and is refused the file after a refund (%o)',
    async (browser) => {
      const { console } = opened;
      const [software, club] = [await productOf('Invoice Desk'), await productOf('Seller Club')];
      const upload = formOf({ product_id: software.id });
      upload.append('file', new File(['setup'], `setup-${(people += 1)}.txt`));
      await api('POST', '/files', upload);
      const member = await api('POST', '/users', {
        email: `member-${people}@people.example`,
        display_name: 'Wati',
      });
      const user_id = Number(member['id']);
      const bought = await Promise.all(
        [software, club].map(async ({ id }) => {
          const order = await api('POST', '/orders', { product_id: id, user_id });
          await api('PATCH', `/orders/${String(order['id'])}`, { status: 'completed' });
          return Number(order['id']);
        }),
      );
      const { url } = await api('POST', `/users/${user_id}/account-link`);
      const page = await console.open('/', { as: null, ...browser });
      await page.goto(String(url));
      await page.getByRole('button', { name: 'Sign in as Wati' }).click();
      await page.locator('a[href^="/account/subscriptions/"]', { hasText: 'Seller Club' }).click();
      await page.getByRole('button', { name: 'Cancel Seller Club' }).click();
      await page.getByRole('button', { name: 'Keep Seller Club' }).waitFor();
      await check(page, browser);
      await page.goto(new URL('/account', page.url()).href);
      const file = page.getByRole('link', { name: `setup-${people}.txt` });
      const address = (await file.getAttribute('href')) ?? '';
      expect(await (await page.request.get(address)).text()).toBe('setup');
      await api('PATCH', `/orders/${bought[0] ?? 0}`, { status: 'refunded' });
      expect((await page.request.get(address)).status()).toBe(403);
      await page.reload();
      expect(await file.count()).toBe(0);
      await check(page, browser);
    },
  );
});
