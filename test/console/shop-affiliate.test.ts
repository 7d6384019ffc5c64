import { expect } from 'vitest';
import { isLong, long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

const opened = useConsole();

const words = {
  en: {
    title: 'Affiliate',
    template: 'Discount',
    code: 'Code',
    make: 'Make the coupon',
    taken: 'There is a coupon',
  },
  id: {
    title: 'Afiliasi',
    template: 'Potongan',
    code: 'Kode',
    make: 'Buat kupon',
    taken: 'Sudah ada kupon',
  },
} as const;

const cases = [
  { width: 360, scripts: true, language: 'id' },
  { width: 320, scripts: false, language: 'en' },
  { width: 1280, scripts: true, language: 'en' },
] as const;

inBrowser('An affiliate', () => {
  long.each(isLong ? cases : cases.slice(0, 1))(
    'makes a coupon of their own and copies its code (%o)',
    async ({ language, ...browser }) => {
      const { console } = opened;
      const { store } = console;
      store.clock.set(new Date().toISOString());
      const { token } = await store.createKey();
      const { rows } = await store.database.query<{ id: string }>(
        `select id from users where roles @> '{affiliate}' and not roles @> '{administrator}' and staff_role_id is null and status = 'active' order by id offset $1 limit 1`,
        [cases.findIndex(({ width }) => width === browser.width)],
      );
      await store.database.query("update settings set affiliate_coupon_status = 'active'");
      const minted = await fetch(`${console.url}/api/svc/v1/users/${rows[0]?.id}/account-link`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      const { data } = (await minted.json()) as { data: { url: string } };
      const page = await console.open('/', { as: null, locale: language, ...browser });
      const check = async () => {
        if (browser.scripts) await expectAccessible(page);
        const isWide = () => document.documentElement.scrollWidth > innerWidth;
        expect(await page.evaluate(isWide)).toBe(false);
        // Each amount is on one line.
        const lines = await page.locator('dl.facts dd').evaluateAll((amounts) =>
          amounts.map((amount) => {
            const text = document.createRange();
            text.selectNodeContents(amount);
            return text.getClientRects().length;
          }),
        );
        expect(lines).toEqual([1, 1, 1, 1]);
      };
      await page.goto(data.url);
      await page.locator('form button').first().click();
      const t = words[language];
      await page.getByRole('link', { name: t.title }).click();
      await page.getByLabel(t.template).selectOption({ index: 0 });
      const code = `${language}-${browser.width}`.toUpperCase();
      await page.getByLabel(t.code).fill(code.toLowerCase());
      await page.getByRole('button', { name: t.make }).click();
      const made = page
        .getByRole('listitem')
        .filter({ has: page.getByText(code, { exact: true }) });
      await made.waitFor();
      await check();
      if (browser.scripts) {
        await made.getByRole('button').click();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
      }
      await page.getByLabel(t.code).fill(code);
      await page.getByRole('button', { name: t.make }).click();
      await page.getByText(t.taken).waitFor();
      await check();
    },
  );
});
