import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { percentages } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let product_id: number;

beforeAll(async () => {
  const { fixture } = opened;
  await fixture.set('permanent_affiliate', true);
  await fixture.api.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['user.updated'] });
  const affiliate = { enabled: true, tiers: percentages(10) };
  product_id = (await fixture.newProduct({ affiliate })).id;
});

afterAll(() => expectIntegrity(opened.fixture));

/** A buyer whom the shop made an account for, and two affiliates. */
async function newBuyer() {
  const { fixture } = opened;
  const { id } = await fixture.newUser();
  await fixture.store.database.query(
    'insert into new_buyers (user_id, created_at) values ($1, now())',
    [id],
  );
  const [first, second] = [await fixture.newAffiliate(), await fixture.newAffiliate()];
  const place = async (affiliate_id?: number, status = 'on-hold') => {
    fixture.store.clock.advance(60);
    const order = await fixture.newOrder({ product_id, user_id: id, affiliate_id, status });
    return order.id;
  };
  return {
    ...{ id, first: first.id, second: second.id, place },
    pay: (affiliate_id?: number) => place(affiliate_id, 'completed'),
    sponsor: async () => (await fixture.user(id)).affiliate_id,
    events: async () => {
      const { rows } = await fixture.store.database.query<{ sponsor: number | null }>(
        `select (data ->> 'affiliate_id')::int as sponsor from outbox
          where event = 'user.updated' and object_id = $1 order by id`,
        [id],
      );
      return rows.map(({ sponsor }) => sponsor);
    },
  };
}

async function move(id: number, ...statuses: string[]) {
  for (const status of statuses) {
    const reply = await opened.fixture.api.patch(`/orders/${id}`, { status });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
  }
}

const refund = async (id: number, amount?: number) => {
  const reply = await opened.fixture.api.post(`/orders/${id}/refunds`, { amount });
  expect(reply.status).toBe(201);
};

const remove = async (id: number) => {
  expect((await opened.fixture.api.delete(`/orders/${id}`)).status).toBe(200);
};

const downlines = async (id: number) =>
  (await opened.fixture.api.get(`/users/${id}/downlines`)).body.data;

describe('A new buyer whose sponsor came with the first payment', () => {
  test.each([
    ['refunded', (id: number) => move(id, 'refunded')],
    ['refunded by its amount', (id: number) => refund(id)],
    ['cancelled', (id: number) => move(id, 'in-progress', 'cancelled')],
    ['unpaid again', (id: number) => move(id, 'in-progress', 'on-hold')],
    ['deleted', remove],
  ])('loses the sponsor once that order is %s', async (_, end) => {
    const { first, second, pay, sponsor, events } = await newBuyer();
    const id = await pay(first);
    expect(await sponsor()).toBe(first);
    await end(id);
    expect(await sponsor()).toBeNull();
    expect(await downlines(first)).toEqual([]);
    expect(await events()).toEqual([first, null]);
    const later = await opened.fixture.order(await pay(second));
    expect(later).toMatchObject({ affiliate_id: second, attribution: { source: 'explicit' } });
    expect(await sponsor()).toBe(second);
  });

  test('loses the sponsor once that order is fraud, and gets them back when the risk is cleared', async () => {
    const { api } = opened.fixture;
    const { id, first, second, place, sponsor, events } = await newBuyer();
    for (const person of [id, first]) {
      await api.patch(`/users/${person}`, { bank_info: `BCA 77${first}88` });
    }
    const other = await place(second);
    const fraud = await place(first, 'completed');
    await move(other, 'completed');
    expect(await sponsor()).toBe(first);
    const risks = (await api.get(`/risks?affiliate_id=${first}&status=open`)).body.data;
    const decide = async (decision: string) => {
      const reply = await api.post(`/risks/${risks[0].id}`, { decision });
      expect(reply).toMatchObject({ status: 200, trips: 2 });
      await expectIntegrity(opened.fixture);
    };
    await decide('confirm');
    expect((await opened.fixture.order(fraud)).affiliate_id).toBeNull();
    expect(await sponsor()).toBe(second);
    await move(other, 'refunded');
    expect(await sponsor()).toBeNull();
    await decide('clear');
    expect(await sponsor()).toBe(first);
    expect((await events()).slice(-3)).toEqual([second, null, first]);
  });

  test('keeps the sponsor after a refund of a part, or of another order', async () => {
    const { first, second, pay, sponsor, events } = await newBuyer();
    const id = await pay(first);
    await move(await pay(second), 'refunded');
    await refund(id, 1);
    expect(await sponsor()).toBe(first);
    expect(await events()).toEqual([first]);
  });

  test('gets the sponsor again if the cancelled order is paid after all', async () => {
    const { first, pay, sponsor } = await newBuyer();
    const id = await pay(first);
    await move(id, 'in-progress', 'cancelled', 'on-hold');
    expect(await sponsor()).toBeNull();
    await move(id, 'completed');
    expect(await sponsor()).toBe(first);
  });

  test('gets the affiliate of the next order by payment, if it names one of its own', async () => {
    const { first, second, place, pay, sponsor, events } = await newBuyer();
    const { id: third } = await opened.fixture.newAffiliate();
    const [late, early] = [await place(third), await place(second)];
    const given = await pay(first);
    const sponsored = await pay();
    expect((await opened.fixture.order(sponsored)).attribution?.source).toBe('sponsor');
    await move(early, 'completed');
    opened.fixture.store.clock.advance(60);
    await move(late, 'completed');
    await move(given, 'refunded');
    expect(await sponsor()).toBe(second);
    await move(early, 'refunded');
    expect(await sponsor()).toBe(third);
    await move(late, 'refunded');
    expect(await sponsor()).toBeNull();
    expect(await events()).toEqual([first, second, third, null]);
    const waiting = await opened.fixture.order(sponsored);
    expect(waiting).toMatchObject({ affiliate_id: first, status: 'completed' });
  });

  test('does not get a sponsor back by an order that counted for the lost one', async () => {
    const { first, place, pay, sponsor } = await newBuyer();
    const given = await pay(first);
    const waiting = await place();
    await move(given, 'refunded');
    await move(waiting, 'completed');
    expect(await sponsor()).toBeNull();
  });

  test.each([[true], [false]])(
    'keeps a sponsor that was set by hand, or none; set: %s',
    async (isSet) => {
      const { id, first, second, pay, sponsor } = await newBuyer();
      const order = await pay(first);
      const affiliate_id = isSet ? second : null;
      await opened.fixture.api.patch(`/users/${id}`, { affiliate_id });
      await move(order, 'refunded');
      expect(await sponsor()).toBe(affiliate_id);
      await pay(first);
      expect(await sponsor()).toBe(affiliate_id);
    },
  );

  test('follows a correction of the order', async () => {
    const { first, second, pay, sponsor } = await newBuyer();
    const id = await pay(first);
    await opened.fixture.api.patch(`/orders/${id}`, { affiliate_id: second });
    expect(await sponsor()).toBe(second);
    await opened.fixture.api.patch(`/orders/${id}`, { affiliate_id: null });
    expect(await sponsor()).toBeNull();
  });

  test('keeps the people below, and gets no new sponsor while there are any', async () => {
    const { id, first, second, pay, sponsor } = await newBuyer();
    const order = await pay(first);
    await opened.fixture.api.patch(`/users/${second}`, { affiliate_id: id });
    await pay(second);
    await move(order, 'refunded');
    expect(await sponsor()).toBeNull();
    expect(await downlines(id)).toMatchObject([{ id: second }]);
  });
});
