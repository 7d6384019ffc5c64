import { expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectAccessible } from './harness/axe.ts';
import { inBrowser, useConsole } from './harness/console.ts';

const at = useConsole();

const others = [
  ...['/orders/99999', '/customers/99999', '/subscriptions/99999', '/access/99999'],
  ...['/messages/99999', '/affiliates/99999', '/audit/99999', '/keys/99999', '/team/99999'],
];

async function expectNothing(path: string): Promise<void> {
  const page = await at.console.open(path);
  const sheet = page.getByRole('dialog', { name: 'Nothing to show' });
  await sheet.getByText(/There is no such record|That did not work/).waitFor();
  expect(await sheet.getByText('Loading').count()).toBe(0);
  await expectAccessible(page);
}

inBrowser('A sheet', () => {
  test('A sheet says that its record does not exist', () => expectNothing('/licences/99999'));

  long('The form of a key says that the key does not exist', async () => {
    const page = await at.console.open('/keys/99999/edit');
    await page.getByText('There is no such record').waitFor();
  });

  long.each(others)('A sheet says that its record does not exist (%s)', expectNothing);
});
