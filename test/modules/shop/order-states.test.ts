import { describe, expect, test } from 'vitest';
import { orderToken } from '../../../src/actions/shop/secrets.ts';

import { type Till, useTill } from '../../operations/payments/till.ts';
import { visit } from './visitor.ts';

async function pathOf(till: Till, order_id: number): Promise<string> {
  const { authority } = await till.store.services();
  return `/order/${await orderToken(order_id, 0, authority)}`;
}

/** The text of an order's page. */
async function shown(till: Till, order_id: number, query = ''): Promise<string> {
  return (await visit(till.store, `${await pathOf(till, order_id)}${query}`)).text;
}

const thanks = 'your payment has arrived';

describe('The page of an order that is paid by PayPal', () => {
  const opened = useTill('paypal');
  const continues = 'Continue to PayPal';

  async function begun() {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.store.clock.advance(60);
    return { till, id, reference };
  }

  const look = async (till: Till, id: number) =>
    visit(till.store, `${await pathOf(till, id)}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ look: '1' }),
    });

  test('says that a refund failed, and does not call it paid back', async () => {
    const { till } = opened;
    const { id } = await till.paid();
    await till.refund(id);
    expect(await shown(till, id)).toContain('on its way back to you');
    await till.later(60);
    till.provider.settleRefunds?.('failed');
    await till.later(7200);
    expect(await till.refunds(id)).toMatchObject([{ state: 'failed' }]);
    const page = await shown(till, id);
    expect(page).toContain('Refund recorded');
    expect(page).toContain('$120.00: not paid back yet');
    expect(page).not.toMatch(/Refunded|was refunded|on its way/);
  });

  test('asks for no second payment while the money is pending, nor does a message', async () => {
    const { till, id, reference } = await begun();
    const mail = async () => {
      const preview = '/message-templates/order-placed/email/preview';
      const reply = await till.fixture.api.post(preview, { language: 'en', order_id: id });
      return reply.body.data.text;
    };
    const asks = /Pay \S+ with PayPal/;
    expect(await shown(till, id)).toContain(continues);
    expect(await mail()).toMatch(asks);
    till.provider.begin(reference);
    await till.bring();
    const page = await shown(till, id);
    expect(page).not.toContain(continues);
    expect(page).toContain('Please do not pay twice');
    expect(await mail()).not.toMatch(asks);
  });

  test('says to a buyer who comes back that the confirmation is awaited, and asks PayPal', async () => {
    const { till, id, reference } = await begun();
    till.provider.pay(reference);
    const page = await shown(till, id, `?payment=${reference}&token=1`);
    expect(page).toContain('as soon as the payment provider confirms it');
    expect(page).toContain('data-returned');
    expect(await shown(till, id)).not.toContain('data-returned');
    expect(await look(till, id)).toMatchObject({ status: 303 });
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
    expect(await shown(till, id)).toContain(thanks);
  });

  test.each([
    ['answers', false],
    ['is down', true],
  ])(
    'has PayPal asked once in ten seconds, however often strangers ask, if it %s',
    async (_, isDown) => {
      const { till, id } = await begun();
      const lookUps = () => till.provider.journal.filter(({ method }) => method === 'GET').length;
      const before = lookUps();
      if (isDown) till.provider.fail('look', 'overloaded');
      await Promise.all(Array.from({ length: 8 }, () => look(till, id)));
      await look(till, id);
      expect(lookUps() - before).toBe(1);
      till.store.clock.advance(11);
      await look(till, id);
      expect(lookUps() - before).toBe(2);
    },
  );

  test('opens no payment for a stranger who only asks', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const before = till.provider.references().length;
    expect(await look(till, id)).toMatchObject({ status: 303 });
    expect(till.provider.references()).toHaveLength(before);
    const { rows } = await till.store.database.query(
      'select id from payment_sessions where order_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });
});

describe('The page of an order', () => {
  const opened = useTill('midtrans');

  test('asks for no payment while a person decides about another amount', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 2 });
    till.provider.pay(reference);
    await till.bring();
    expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
    const page = await shown(till, id);
    expect(page).toContain('Please do not pay again until we have decided');
    expect(page).not.toMatch(/Pay with Midtrans|class="amount"/);
  });

  test('names no total after refunds while an order waits for its whole total again', async () => {
    const { till } = opened;
    const { id } = await till.newOrder({ payment_gateway: 'manual', status: 'completed' });
    await till.refund(id, 1000);
    expect(await shown(till, id)).toContain('Total after refunds');
    for (const status of ['in-progress', 'on-hold']) {
      expect((await till.fixture.api.patch(`/orders/${id}`, { status })).status).toBe(200);
    }
    expect(await shown(till, id)).not.toContain('Total after refunds');
  });

  test('thanks for no payment that the bank has taken back', async () => {
    const { till } = opened;
    const { id, reference } = await till.paid();
    expect(await shown(till, id)).toContain(thanks);
    till.store.clock.advance(300);
    till.provider.decline(reference);
    await till.bring();
    const page = await shown(till, id);
    expect(page).not.toContain(thanks);
    expect(page).toContain('has taken this payment back');
    await till.refund(id);
    expect(await shown(till, id)).toContain('returned by your bank or the payment provider');
  });

  test('thanks for no payment of a free order', async () => {
    const { till } = opened;
    const { id: product_id } = await till.fixture.newProduct({ price: 0 });
    const { id } = await till.newOrder({ product_id, payment_gateway: 'free' });
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
    expect(await shown(till, id)).not.toContain(thanks);
  });
});
