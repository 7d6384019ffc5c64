import { describe, expect, test } from 'vitest';
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

describe('A store that is paid by Stripe alone, in dinars,', () => {
  const dinars = useTill('stripe', 'KWD', 3);

  test('takes no order whose total has more decimals than Stripe takes, and says so', async () => {
    const { fixture } = dinars.till;
    const { slug } = await fixture.newProduct({ title: 'Tea', price: 1234 });
    const refused = await buy(fixture.store, slug, { email: 'tea@people.example' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('This combination cannot be ordered.');
    const { body } = await fixture.api.get('/orders');
    expect(body.data).toEqual([]);
    const { slug: other } = await fixture.newProduct({ title: 'Coffee', price: 1230 });
    expect((await buy(fixture.store, other, { email: 'tea@people.example' })).status).toBe(303);
  });

  test('takes an order in another way once there is one', async () => {
    const { fixture } = dinars.till;
    const account = { id: 'NBK', bank: 'NBK', owner: 'Shop', account_number: '1234' };
    await fixture.set('manual_accounts', JSON.stringify([account]));
    const { slug } = await fixture.newProduct({ title: 'Milk', price: 1235 });
    expect((await buy(fixture.store, slug, { email: 'milk@people.example' })).status).toBe(303);
  });
});
