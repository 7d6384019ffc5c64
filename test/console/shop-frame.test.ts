import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, useConsole } from './harness/console.ts';
import { long } from '../harness/long.ts';

const opened = useConsole();
/** Another site, which loads the shop's script under a policy of its own. */
let site: Server;
let address: string;
let slug: string;

beforeAll(async () => {
  const { url, store } = opened.console;
  const { rows } = await store.database.query<{ slug: string }>(
    "select slug from products where title = 'Selling Online, the Course'",
  );
  slug = rows[0]?.slug ?? '';
  site = createServer((request, answer) => {
    const body =
      request.url === '/raw'
        ? `<iframe title="Raw" src="${url}/checkout/${slug}"></iframe>`
        : `<script src="${url}/shop/embed.js"></script>
           <a data-sales-checkout href="${url}/checkout/${slug}?email=reader@people.example">Enrol</a>`;
    answer.setHeader('content-type', 'text/html');
    answer.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${url}; frame-src ${url}; img-src 'self'`,
    );
    answer.end(`<!doctype html><html lang="en"><title>Blog</title><h1>A blog</h1>${body}</html>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => void site.close());

const list = (sites: readonly string[]) =>
  opened.console.store.database.query(
    'update settings set shop_frame_sites = $1, version = version + 1',
    [JSON.stringify(sites)],
  );

inBrowser('The checkout on other sites', () => {
  long.each([320, 1280])(
    'is opened over a page that the store lists, until the order, at a width of %i',
    async (width) => {
      const { console } = opened;
      await list([address]);
      const page = await console.open('/', { as: null, width, others: [address] });
      await page.goto(address);
      await page.getByRole('link', { name: 'Enrol' }).click();
      const frame = page.getByRole('dialog', { name: 'Enrol' }).frameLocator('iframe');
      await frame.getByLabel('Name').fill('Reader');
      expect(await frame.getByLabel('E-mail').inputValue()).toBe('reader@people.example');
      await frame.getByLabel('E-mail').fill(`reader-${width}@people.example`);
      await frame.getByRole('button', { name: 'Place order' }).click();
      await frame.getByText('Transfer exactly this amount').waitFor();
      expect(new URL(page.url()).origin).toBe(address);
      await page.getByRole('button', { name: 'Close' }).click();
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  long('is not shown in a frame of an unlisted site; its link opens the page itself', async () => {
    const { console } = opened;
    await list(['https://blog.example']);
    const watched = await console.open('/', { as: null });
    // The browser logs the refused frame in the console of this page.
    const page = await watched.context().newPage();
    await page.goto(`${address}/raw`);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed?.locator('form').count()).toBe(0);
    await page.goto(address);
    await page.getByRole('link', { name: 'Enrol' }).click();
    await page.waitForURL(`${console.url}/checkout/**`);
    await page.getByRole('button', { name: 'Place order' }).waitFor();
  });
});
