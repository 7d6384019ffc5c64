import { expect, test } from 'vitest';
import { useTill } from '../../operations/payments/till.ts';
import { buy, orderPath } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useTill('midtrans');

test('a provider gets the details that a stranger typed, and nothing from the account with that address', async () => {
  const { till } = opened;
  const { store } = till.fixture;
  const known = { display_name: 'Known Person', phone: '+6281299990000' };
  await till.fixture.newUser({ email: 'paid@people.example', ...known });
  const { slug } = await till.fixture.product(till.product_id);
  const fields = { email: 'paid@people.example', name: 'Typed Name', pay: till.provider.id };
  const path = orderPath(await buy(store, slug, fields));
  expect((await visit(store, `${path}/pay`, { method: 'POST' })).status).toBe(303);
  const asked = JSON.stringify(till.provider.journal);
  expect(asked).toContain('Typed');
  expect(asked).toContain('+6281234567890');
  expect(asked).not.toContain('Known');
  expect(asked).not.toContain('99990000');
});
