import { expect, test } from 'vitest';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';
import { clicksOf } from './harness/watch.ts';

inBrowser('Licences', () => {
  const at = useConsole();

  test('A licence is found by the site that uses it, shown on demand, and its seats are freed', async () => {
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
    await sheet.getByText('The customer can register it anew', { exact: false }).waitFor();
    await sheet.getByRole('button', { name: 'Free all seats' }).click();
    await page.getByRole('status').getByText('The seats are free.').waitFor();
    expect(await clicksOf(page)).toBe(5);
  });

  test('Licences fit a phone', async () => {
    const page = await at.console.open('/licences', { width: 320, scheme: 'dark' });
    await page.getByRole('table', { name: 'Licences' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Show the code' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });
});
