import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addSeconds } from '../../../src/lib/instant.ts';
import { type OrderStatus, orderStatuses } from '../../../src/schema/lists.ts';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { isLong, runs } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

/** From (down) to (across): `paid` requires a received payment, `physical` goods that can be shipped. */
const table = `
  from             on-hold  payment-confirm  in-progress  shipping  completed  refunded  cancelled
  on-hold          =        yes              yes          physical  yes        -         yes
  payment-confirm  yes      =                yes          physical  yes        -         yes
  in-progress      yes      -                =            physical  yes        paid      yes
  shipping         -        -                yes          =         yes        paid      -
  completed        -        -                yes          -         =          paid      -
  cancelled        yes      -                -            -         -          -         =
  refunded         -        -                -            -         -          -         =
`;

const [columns = [], ...lines] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));
const cell = (from: string, to: string) =>
  lines.find(([status]) => status === from)?.[columns.indexOf(to)];

const allowedNext = ({ status, paid_at, product }: Order) =>
  orderStatuses.filter((to) => {
    const entry = cell(status, to);
    if (entry === 'paid') return paid_at !== null;
    return entry === 'physical' ? product.type === 'physical' : entry === 'yes';
  });

const ways: Record<string, OrderStatus[][]> = {
  'digital manual': [
    [],
    ['payment-confirm'],
    ['in-progress'],
    ['completed'],
    ['completed', 'in-progress'],
    ['cancelled'],
    ['in-progress', 'cancelled'],
    ['in-progress', 'refunded'],
  ],
  'physical manual': [
    [],
    ['payment-confirm'],
    ['in-progress'],
    ['in-progress', 'shipping'],
    ['in-progress', 'shipping', 'completed'],
    ['cancelled'],
    ['payment-confirm', 'in-progress', 'cancelled'],
    ['shipping', 'refunded'],
  ],
  'physical cod': [
    [],
    ['on-hold'],
    ['on-hold', 'payment-confirm'],
    ['shipping'],
    ['shipping', 'completed'],
    ['completed', 'in-progress'],
    ['completed', 'in-progress', 'cancelled'],
    ['cancelled'],
    ['completed', 'refunded'],
  ],
};

const products: Record<string, number> = {};
let buyer = 0;

beforeAll(async () => {
  const { fixture } = opened;
  buyer = (await fixture.newUser()).id;
  products['digital'] = (await fixture.newProduct()).id;
  const cod = { active: true, fee: 500 };
  products['physical'] = (await fixture.newProduct({ type: 'physical', cod })).id;
});

const change = (id: number, status: OrderStatus, more: object = {}) =>
  opened.fixture.api.patch(`/orders/${id}`, { status, ...more });

const tracked = { tracking_number: 'JNE-1' };
/** The error for an order that was placed without shipping. */
const noParcel = {
  option_id: '',
  courier: '',
  service: '',
  cost: 0,
  receiver: '',
  phone: '',
  address: '',
  postal_code: '',
  country: '',
  tracking_url: '',
};

/** An order of a kind after the changes of a way, a minute apart. */
async function arrive(kind: string, way: readonly OrderStatus[]): Promise<Order> {
  const { fixture } = opened;
  const [type = '', payment_gateway = ''] = kind.split(' ');
  const product_id = products[type] ?? 0;
  let order = await fixture.newOrder({ product_id, user_id: buyer, payment_gateway });
  for (const status of way) {
    fixture.store.clock.advance(60);
    const changed = await change(order.id, status, status === 'shipping' ? tracked : {});
    expect(changed).toMatchObject({ status: 200, body: { changed: true } });
    order = changed.body.data;
  }
  fixture.store.clock.advance(60);
  return order;
}

const groups: Record<OrderStatus, string> = {
  'on-hold': 'unpaid',
  'payment-confirm': 'unpaid',
  'in-progress': 'processing',
  shipping: 'processing',
  completed: 'completed',
  refunded: 'closed',
  cancelled: 'closed',
};

/** Returns the expected order after an allowed change at `at`. */
function expected(before: Order, to: OrderStatus, at: string) {
  const cod = before.payment_gateway === 'cod';
  const paid_at = {
    'on-hold': null,
    'payment-confirm': null,
    'in-progress': before.paid_at ?? (cod ? null : at),
    shipping: before.paid_at ?? (cod ? null : at),
    completed: before.paid_at ?? at,
    refunded: before.paid_at,
    cancelled: before.paid_at,
  }[to];
  const givenBack = to === 'refunded' || (to === 'cancelled' && before.paid_at !== null);
  const paid = paid_at === null ? 'unpaid' : 'paid';
  return {
    status: to,
    status_group: groups[to],
    payment_status: {
      'on-hold': 'unpaid',
      'payment-confirm': 'in-review',
      'in-progress': paid,
      shipping: paid,
      completed: 'paid',
      refunded: 'refunded',
      cancelled: givenBack ? 'refunded' : 'void',
    }[to],
    next_statuses: allowedNext({ ...before, status: to, paid_at }),
    paid_at,
    completed_at: to === 'completed' ? at : to === 'refunded' ? before.completed_at : null,
    cancelled_at: to === 'cancelled' ? at : null,
    refunded_at: givenBack ? at : null,
    refunded_total: givenBack ? before.grand_total : 0,
    net_total: givenBack ? 0 : before.grand_total,
    expires_at: to === 'on-hold' && !cod ? addSeconds(at, 3 * 86_400) : null,
    updated_at: at,
    version: before.version + 1,
  };
}

describe('The table of transitions', () => {
  const dealt = <T>(list: readonly T[], index: number) =>
    list.filter((_, i) => i === index % list.length);
  const states = Object.entries(ways)
    .flatMap(([kind, list]) => list.map((way) => ({ kind, way })))
    .map((state, index) => ({ ...state, index }));

  test.each(states)(
    'refuses every status that is not offered to a $kind order after $way',
    async ({ kind, way }) => {
      const { fixture } = opened;
      const order = await arrive(kind, way);
      const before = await fixture.order(order.id);
      const allowed = allowedNext(order);
      expect(order.next_statuses).toEqual(allowed);
      const again = await change(order.id, order.status, { reason: 'why' });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ success: true, data: order, changed: false });
      for (const to of orderStatuses) {
        if (to === order.status || allowed.includes(to)) continue;
        const reply = await change(order.id, to, tracked);
        expect(reply).toMatchObject({ status: 409, body: { code: 'rest_invalid_transition' } });
        expect(reply.body.data).toEqual({ status: 409, from: order.status, to, allowed });
      }
      expect(await fixture.order(order.id)).toEqual(before);
    },
  );

  test.each(states)(
    'accepts a status that is offered to a $kind order after $way',
    async ({ kind, way, index }) => {
      const { fixture } = opened;
      const { next_statuses } = await arrive(kind, way);
      for (const to of isLong ? next_statuses : dealt(next_statuses, index)) {
        const order = await arrive(kind, way);
        const at = fixture.store.clock.now().toISOString();
        const shipping = to === 'shipping' ? { shipping: tracked } : {};
        const reply = await change(order.id, to, { reason: 'why', ...shipping });
        expect(reply, to).toMatchObject({ status: 200, trips: 2, body: { changed: true } });
        const { shipping: parcel, ...rest } = order;
        expect(reply.body.data, to).toEqual({
          ...rest,
          ...expected(order, to, at),
          shipping: to === 'shipping' ? { ...noParcel, ...parcel, ...tracked } : parcel,
        });
        const { history, ...stored } = await fixture.order(order.id);
        expect(stored, to).toEqual(reply.body.data);
        expect(history, to).toHaveLength(way.length + 2);
        const actor = { actor_type: 'key', actor_id: fixture.keyId, actor_name: 'test' };
        expect(history.at(-1)).toEqual({ at, from: order.status, to, ...actor, note: 'why' });
      }
    },
  );

  test('holds for administrators on /me, whose name and note the history keeps', async () => {
    const { fixture } = opened;
    const administrator = await fixture.newAdministrator();
    const { id } = await arrive('physical manual', ['in-progress']);
    const path = `/me/orders/${id}/status`;
    const untracked = await administrator.session.post(path, { status: 'shipping' });
    expect(untracked).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    const sent = { status: 'shipping', note: 'by courier', ...tracked };
    const reply = await administrator.session.post(path, sent);
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: { changed: true, data: { status: 'shipping', shipping: tracked } },
    });
    expect((await fixture.order(id)).history.at(-1)).toMatchObject({
      from: 'in-progress',
      to: 'shipping',
      actor_type: 'user',
      actor_id: administrator.id,
      actor_name: administrator.display_name,
      note: 'by courier',
    });
    const again = await administrator.session.patch(path, { status: 'shipping' });
    expect(again).toMatchObject({ status: 200, body: { changed: false } });
    const forbidden = await administrator.session.patch(path, { status: 'cancelled' });
    expect(forbidden).toMatchObject({ status: 409, body: { code: 'rest_invalid_transition' } });
  });

  test('is closed to members, even for an order of their own', async () => {
    const { fixture } = opened;
    const { id } = await arrive('digital manual', []);
    const session = await fixture.store.session(buyer);
    const reply = await session.post(`/me/orders/${id}/status`, { status: 'completed' });
    expect(reply).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect((await fixture.order(id)).status).toBe('on-hold');
  });
});

describe('Entering shipping', () => {
  test('takes a tracking number, in either place, now or earlier', async () => {
    const { fixture } = opened;
    const { id } = await arrive('physical manual', ['in-progress']);
    for (const more of [{}, { tracking_number: '' }, { shipping: { tracking_url: 'https://x' } }]) {
      const reply = await change(id, 'shipping', more);
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(reply.body.data.params).toHaveProperty('tracking_number');
    }
    await fixture.api.patch(`/orders/${id}`, { shipping: { tracking_number: 'JNE-2' } });
    const reply = await change(id, 'shipping');
    const shipping = { tracking_number: 'JNE-2', cost: 0, tracking_url: '' };
    expect(reply).toMatchObject({ status: 200, body: { data: { shipping } } });
  });
});

test('an order placed without an expiry has none when it waits for payment again', async () => {
  const { fixture } = opened;
  await fixture.set('auto_cancel_days', 0);
  try {
    const { id, expires_at } = await arrive('digital manual', []);
    expect(expires_at).toBeNull();
    await change(id, 'in-progress');
    expect((await change(id, 'on-hold')).body.data.expires_at).toBeNull();
  } finally {
    await fixture.set('auto_cancel_days', 3);
  }
});

test('any series of requests leaves the history of the accepted ones, and the right stock', async () => {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct({ type: 'physical', stock: 10 });
  const request = fc.record({
    status: fc.constantFrom(...orderStatuses),
    quantity: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  });
  const series = fc.tuple(fc.boolean(), fc.array(request, { minLength: 1, maxLength: 10 }));
  await fc.assert(
    fc.asyncProperty(series, async ([restock, requests]) => {
      await fixture.set('restock_on_refund', restock);
      const { stock: stock_was } = await fixture.product(product_id);
      await fixture.api.patch(`/products/${product_id}`, { stock: 10, stock_was });
      let order = await fixture.newOrder({ product_id, user_id: buyer, quantity: 3 });
      const path: OrderStatus[] = ['on-hold'];
      for (const { status, quantity } of requests) {
        const reply = await change(order.id, status, { ...tracked, quantity });
        if (reply.status !== 200) continue;
        order = reply.body.data;
        if (reply.body.changed) path.push(status);
      }
      const { history, ...stored } = await fixture.order(order.id);
      expect(stored).toEqual(order);
      expect(history.map(({ to }) => to)).toEqual(path);
      expect(history.map(({ from }) => from)).toEqual([null, ...path.slice(0, -1)]);
      const gone = order.status === 'cancelled' || (order.status === 'refunded' && restock);
      const { stock } = await fixture.product(product_id);
      expect(stock).toBe(10 - (gone ? 0 : order.quantity));
    }),
    { numRuns: runs(25) },
  );
});
