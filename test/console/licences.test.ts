import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Licences', () => {
  const at = useConsole();

  long(
    'A licence is checked as the app at a site would, and that seat alone is freed',
    async () => {
      const { rows } = await at.console.store.database.query<{ id: string; string: string }>(
        `select licenses.id, string from licenses join license_activations on license_id = licenses.id
         where string not like 'toko-%' limit 1`,
      );
      const { id, string = '' } = rows[0] ?? {};
      const page = await at.console.open(`/licences/${id}`);
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('Site or device').fill(string);
      await sheet.getByRole('button', { name: 'Check' }).click();
      await sheet.getByText('The app works there.').waitFor();
      await expectAccessible(page);
      await sheet.getByRole('button', { name: `Free: ${string}` }).click();
      await page.getByRole('status').getByText(`${string} is freed.`).waitFor();
      await sheet.getByRole('button', { name: `Free: ${string}` }).waitFor({ state: 'detached' });
    },
  );

  long(
    'A licence is found by the site that uses it, shown on demand, and its seats are freed',
    async () => {
      const { rows } = await at.console.store.database.query<{ code: string; string: string }>(
        `select code, string from licenses join license_activations on license_id = licenses.id
         where string like 'toko-%' limit 1`,
      );
      const [used] = rows;
      const page = await at.console.open('/');
      await page.getByRole('link', { name: 'Licences' }).click();
      await page.getByRole('table', { name: 'Licences' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('searchbox').fill(used?.string ?? '');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('table').getByRole('link').first().click();
      const sheet = page.getByRole('dialog');
      await sheet
        .getByText(used?.string ?? '')
        .first()
        .waitFor();
      expect(await page.getByText(used?.code ?? '').count()).toBe(0);
      await sheet.getByRole('button', { name: 'Show the code' }).click();
      await sheet.getByText(used?.code ?? '').waitFor();
      await expectAccessible(page);
      await sheet.getByRole('button', { name: 'Free all seats' }).click();
      await sheet.getByText('The customer can register it again', { exact: false }).waitFor();
      await sheet.getByRole('button', { name: 'Free all seats' }).click();
      await page.getByRole('status').getByText('The seats are free.').waitFor();
      expect(await clicksOf(page)).toBe(5);
    },
  );

  long('Licences fit a phone', async () => {
    const page = await at.console.open('/licences', { width: 320, scheme: 'dark' });
    await page.getByRole('table', { name: 'Licences' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Show the code' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });
});
