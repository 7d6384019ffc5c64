import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/message/schemas.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import {
  announceEnds,
  announceOverdues,
  expireSubscriptions,
} from '../../../src/jobs/expire-subscriptions.ts';
import { deliverDue } from '../../../src/kernel/events/delivery.ts';
import { templateKinds } from '../../../src/schema/lists.ts';
import { percentages } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useReceiver } from '../../kernel/events/receiver.ts';
import { seller, usePost } from './post.ts';

const day = 86_400;

const opened = usePost(['resend', 'fonnte']);
const receiver = useReceiver();
let buyer: User;
let affiliate: User;
const products: Record<string, number> = {};

beforeAll(async () => {
  const { fixture } = opened.post;
  const account = { owner: 'Toko Kue', account_number: '123-456' };
  await fixture.set('manual_accounts', JSON.stringify([{ ...account, id: 'BCA', bank: 'BCA' }]));
  buyer = await opened.post.newBuyer();
  affiliate = await opened.post.newBuyer({ roles: ['affiliate'] });
  const made = async (name: string, fields: object) => {
    products[name] = (await fixture.newProduct({ title: name, price: 350_000, ...fields })).id;
  };
  await made('course', {});
  await made('parcel', { type: 'physical', cod: { active: true, fee: 5000 } });
  await made('gift', { price: 0 });
  await made('recommended', { affiliate: { enabled: true, tiers: percentages(10), hold_days: 0 } });
  await made('club', {
    payment_type: 'recurring',
    subscription: { active: true, regular: { duration: 5, period: 'daily', price: 50_000 } },
  });
  await made('plan', {
    payment_type: 'recurring',
    subscription: {
      ...{ active: true, payments: 3, grace_days: 5 },
      regular: { duration: 5, period: 'daily', price: 50_000 },
    },
  });
  await opened.post.store.settled();
});

afterAll(() => expectIntegrity(opened.post));

const order = (product: string, fields: object = {}) =>
  opened.post.fixture.newOrder({
    product_id: products[product] ?? 0,
    user_id: buyer.id,
    payment_gateway: 'manual',
    ...fields,
  });

const move = async (id: number, fields: object) => {
  const reply = await opened.post.fixture.api.patch(`/orders/${id}`, fields);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};

const roles = (): Record<string, string> => ({
  [seller.email]: 'seller',
  [seller.phone]: 'seller',
  [buyer.email ?? '']: 'buyer',
  [`+62${buyer.phone.slice(1)}`]: 'buyer',
  [affiliate.email ?? '']: 'affiliate',
  [`+62${affiliate.phone.slice(1)}`]: 'affiliate',
});

/** Summarises messages by recipient, if both media have the same. */
function summary(messages: readonly Message[]): string[] {
  const by = (medium: string) =>
    messages
      .filter((message) => message.medium === medium)
      .map(({ recipient, kind, status }) => {
        expect(status).toBe('sent');
        return `${roles()[recipient] ?? recipient}: ${kind}`;
      })
      .toSorted();
  expect(by('whatsapp')).toEqual(by('email'));
  return by('email');
}

type Happening = () => Promise<unknown>;

/** Events with their preparation, and the expected messages. */
const happenings: Readonly<Record<string, () => Promise<readonly [Happening, string[]]>>> = {
  'a user is created': async () => {
    const create = async () => {
      buyer = await opened.post.newBuyer();
    };
    return [create, ['buyer: welcome']];
  },
  'an order is placed': async () => [
    () => order('course'),
    ['buyer: order-placed', 'seller: new-order'],
  ],
  'an order is placed that is paid on delivery': async () => [
    () => order('parcel', { payment_gateway: 'cod' }),
    ['buyer: order-placed', 'seller: new-order'],
  ],
  'an order is placed that costs nothing': async () => [
    () => order('gift', { payment_gateway: undefined }),
    ['buyer: order-completed', 'seller: new-order'],
  ],
  'an order is written down as completed': async () => [
    () => order('course', { status: 'completed' }),
    ['buyer: order-completed', 'seller: new-order'],
  ],
  'an order is written down as paid': async () => [
    () => order('parcel', { status: 'in-progress' }),
    ['buyer: payment-received', 'seller: new-order'],
  ],
  'an order is paid, and completed by that': async () => {
    const { id } = await order('course');
    return [() => move(id, { status: 'completed' }), ['buyer: order-completed']];
  },
  'an order is paid, and is to be sent': async () => {
    const { id } = await order('parcel');
    return [() => move(id, { status: 'in-progress' }), ['buyer: payment-received']];
  },
  'an order is taken up again without a payment': async () => {
    const { id } = await order('parcel', { payment_gateway: 'cod' });
    await move(id, { status: 'on-hold' });
    return [() => move(id, { status: 'in-progress' }), ['buyer: order-in-progress']];
  },
  'an order is shipped': async () => {
    const { id } = await order('parcel', { status: 'in-progress' });
    return [
      () => move(id, { status: 'shipping', tracking_number: 'T-1' }),
      ['buyer: order-shipped'],
    ];
  },
  'an order is paid and shipped at once': async () => {
    const { id } = await order('parcel');
    return [
      () => move(id, { status: 'shipping', tracking_number: 'T-1' }),
      ['buyer: order-shipped'],
    ];
  },
  'an order arrives': async () => {
    const { id } = await order('parcel', { payment_gateway: 'cod' });
    await move(id, { status: 'shipping', tracking_number: 'T-1' });
    return [() => move(id, { status: 'completed' }), ['buyer: order-completed']];
  },
  'an order is cancelled': async () => {
    const { id } = await order('course');
    return [() => move(id, { status: 'cancelled' }), ['buyer: order-cancelled']];
  },
  'an order is cancelled that was paid': async () => {
    const { id } = await order('parcel', { status: 'in-progress' });
    return [() => move(id, { status: 'cancelled' }), ['buyer: order-refunded']];
  },
  'part of an order is refunded': async () => {
    const { id } = await order('course', { status: 'completed' });
    const body = { amount: 1000, reason: 'One lesson was missing.' };
    return [
      () => opened.post.fixture.api.post(`/orders/${id}/refunds`, body),
      ['buyer: order-refunded'],
    ];
  },
  'all of an order is refunded': async () => {
    const { id } = await order('course', { status: 'completed' });
    return [
      () => opened.post.fixture.api.post(`/orders/${id}/refunds`, { reason: 'Asked for.' }),
      ['buyer: order-refunded'],
    ];
  },
  'an order only gets a note': async () => {
    const { id } = await order('course');
    return [() => move(id, { note: 'Call first.' }), []];
  },
  'a buyer reports a payment': async () => {
    const { id } = await order('course');
    const report = { order_id: id, total: 350_000 };
    return [
      () => opened.post.fixture.api.post('/confirmations', report),
      ['seller: new-confirmation'],
    ];
  },
  'a reported payment is rejected': async () => {
    const { api } = opened.post.fixture;
    const { id } = await order('course');
    const { body } = await api.post('/confirmations', { order_id: id, total: 350_000 });
    return [
      () => api.post(`/confirmations/${body.data.id}`, { status: 'rejected' }),
      ['buyer: confirmation-rejected'],
    ];
  },
  'a reported payment is approved': async () => {
    const { api } = opened.post.fixture;
    const { id } = await order('course');
    const { body } = await api.post('/confirmations', { order_id: id, total: 350_000 });
    return [
      () => api.post(`/confirmations/${body.data.id}`, { status: 'approved' }),
      ['buyer: order-completed'],
    ];
  },
  'a recommendation is bought': async () => [
    () => order('recommended', { affiliate_id: affiliate.id, status: 'completed' }),
    ['affiliate: commission-earned', 'buyer: order-completed', 'seller: new-order'],
  ],
  'a commission is paid out': async () => {
    await order('recommended', { affiliate_id: affiliate.id, status: 'completed' });
    const payout = { affiliate_id: affiliate.id, method: 'BCA', reference: 'TRX-1' };
    return [() => opened.post.fixture.api.post('/payouts', payout), ['affiliate: commission-paid']];
  },
  'the account is changed that commissions are paid to': async () => {
    const change = { bank_info: 'BCA 7750' };
    return [
      () => opened.post.fixture.api.patch(`/users/${affiliate.id}`, change),
      ['affiliate: bank-account-changed'],
    ];
  },
  'a webhook is paused since its receiver is gone': async () => {
    const { post } = opened;
    receiver.answer = () => ({ status: 410 });
    await post.fixture.api.post('/webhooks', { url: receiver.url('/gone'), events: ['product.*'] });
    const fail = async () => {
      await post.fixture.newProduct();
      await post.store.settled();
      await deliverDue(await post.store.services(), 'healthy');
      await post.later(0);
    };
    return [fail, ['seller: webhook-paused']];
  },
  'a webhook is paused by hand': async () => {
    const { api } = opened.post.fixture;
    const { body } = await api.post('/webhooks', { url: receiver.url('/calm'), events: ['a.b'] });
    return [() => api.patch(`/webhooks/${body.data.id}`, { status: 'paused' }), []];
  },
};

/** The kinds of messages that were tested. */
const toldOf = new Set<string>();

describe('People get a message once, by each medium, when', () => {
  test.each(Object.entries(happenings))('%s', async (_, prepare) => {
    const { post } = opened;
    const [happen, expected] = await prepare();
    const messages = await post.told(happen);
    expect(summary(messages)).toEqual(expected.toSorted());
    for (const { kind } of messages) toldOf.add(kind);
  });

  test('a subscription is about to end, and when it has, once for each end', async () => {
    const { post } = opened;
    const { store } = post;
    const services = await store.services();
    const announce = () =>
      post.told(async () => {
        await announceEnds(services);
        await expireSubscriptions(services);
        await post.later(0);
      });
    const { id } = await order('club', { status: 'completed' });
    expect(summary(await announce())).toEqual([]);
    store.clock.advance(2 * day);
    expect(summary(await announce())).toEqual(['buyer: subscription-ending']);
    expect(summary(await announce())).toEqual([]);
    await order('club', { order_parent_id: id, status: 'completed' });
    store.clock.advance(3 * day);
    expect(summary(await announce())).toEqual([]);
    store.clock.advance(2 * day);
    expect(summary(await announce())).toEqual(['buyer: subscription-ending']);
    store.clock.advance(3 * day);
    const ended = await announce();
    expect(summary(ended)).toEqual(['buyer: subscription-ended']);
    expect(summary(await announce())).toEqual([]);
    toldOf.add('subscription-ending').add('subscription-ended');
  });

  const cancel = async (order_id: number) => {
    const { api } = opened.post.fixture;
    const { body } = await api.get(`/subscriptions?user_id=${buyer.id}&per_page=100`);
    const found = body.data.find((each: { order_id: number }) => each.order_id === order_id);
    const reply = await api.post(`/subscriptions/${found.id}/cancel`, { at: 'now' });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };

  test('a subscription is cancelled', async () => {
    const { post } = opened;
    const { id } = await order('club', { status: 'completed' });
    await post.store.settled();
    const messages = await post.told(() => cancel(id));
    expect(summary(messages)).toEqual(['buyer: subscription-cancelled']);
    toldOf.add('subscription-cancelled');
  });

  test('a payment of a plan is overdue, once', async () => {
    const { post } = opened;
    const { id } = await order('plan', { status: 'completed' });
    await post.store.settled();
    post.store.clock.advance(6 * day);
    const announce = async () => {
      await announceOverdues(await post.store.services());
      await post.later(0);
    };
    expect(summary(await post.told(announce))).toEqual(['buyer: payment-overdue']);
    expect(summary(await post.told(announce))).toEqual([]);
    toldOf.add('payment-overdue');
    await cancel(id);
    await post.store.settled();
  });

  test('a subscription is refunded, about the refund only', async () => {
    const { post } = opened;
    const { id } = await order('club', { status: 'completed' });
    const refund = async () => {
      await post.fixture.api.post(`/orders/${id}/refunds`, { reason: 'Asked for.' });
      await announceEnds(await post.store.services());
      await expireSubscriptions(await post.store.services());
      await post.later(0);
    };
    expect(summary(await post.told(refund))).toEqual(['buyer: order-refunded']);
  });

  test('any event with a template occurs; unexpected payments, summaries and alerts are tested elsewhere', () => {
    expect([...templateKinds].filter((kind) => !toldOf.has(kind))).toEqual([
      'unexpected-payment',
      'seller-summary',
      'store-alert',
    ]);
  });
});

describe('No message is sent about', () => {
  test('a refused change', async () => {
    const { post } = opened;
    const { api } = post.fixture;
    const { id } = await order('course');
    const refused = async () => {
      expect((await api.post('/users', { email: buyer.email })).status).toBe(409);
      expect((await api.post(`/orders/${id}/refunds`, { amount: 1 })).status).toBe(409);
      expect((await api.patch(`/orders/${id}`, { status: 'shipping' })).status).toBe(409);
    };
    expect(await post.told(refused)).toEqual([]);
  });

  test('a deleted order, not even about the status that the deletion gave it', async () => {
    const { post } = opened;
    const { id } = await order('course', { status: 'completed' });
    await post.store.settled();
    const arrived = () => post.senders.map((sender) => sender.sent().length);
    const before = arrived();
    const messages = await post.told(() => post.fixture.api.delete(`/orders/${id}`));
    expect(messages.filter(({ status }) => status !== 'cancelled')).toEqual([]);
    expect(arrived()).toEqual(before);
  });

  test.each(['subscription-ending', 'subscription-ended'])(
    'a former end of a subscription: %s',
    async (kind) => {
      const { post } = opened;
      const services = await post.store.services();
      const { id } = await order('club', { status: 'completed' });
      await post.store.settled();
      post.store.clock.advance((kind === 'subscription-ending' ? 3 : 5) * day);
      for (const sender of post.senders) sender.refuse('temporary');
      const messages = await post.told(async () => {
        await (kind === 'subscription-ending' ? announceEnds : expireSubscriptions)(services);
        await post.later(0);
      });
      expect(messages.map(({ status }) => status)).toEqual(['queued', 'queued']);
      await order('club', { order_parent_id: id, status: 'completed' });
      await post.later(60);
      for (const message of messages) {
        expect(message.kind).toBe(kind);
        expect(await post.message(message.id)).toMatchObject({ status: 'cancelled', attempts: 1 });
      }
    },
  );

  test('a change that is rolled back: its messages are rolled back with it', async () => {
    const { post } = opened;
    await post.store.settled();
    const before = await post.log();
    post.store.neon.faults.next({ statement: 'svc_queue_notices', cut: 'before commit' });
    const body = { product_id: products['course'], user_id: buyer.id };
    expect((await post.fixture.api.post('/orders', body)).status).toBe(503);
    await post.store.settled();
    expect(await post.log()).toEqual(before);
  });

  test('a second request under the same Idempotency-Key', async () => {
    const { post } = opened;
    const body = { product_id: products['course'], user_id: buyer.id };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const messages = await post.told(async () => {
      await post.fixture.api.post('/orders', body, { headers });
      await post.fixture.api.post('/orders', body, { headers });
    });
    expect(summary(messages)).toEqual(['buyer: order-placed', 'seller: new-order']);
  });

  test('events that the store switched off, by that medium', async () => {
    const { post } = opened;
    const path = '/message-templates/order-placed/email';
    await post.fixture.api.patch(path, { active: false });
    const messages = await post.told(() => order('course'));
    expect(messages.map(({ kind, medium }) => `${kind} ${medium}`)).toEqual([
      'new-order email',
      'order-placed whatsapp',
      'new-order whatsapp',
    ]);
    await post.fixture.api.patch(path, { active: true });
    expect(summary(await post.told(() => order('course')))).toHaveLength(2);
  });

  test('anything by a medium for which the recipient has no address', async () => {
    const { post } = opened;
    await post.fixture.set('notification_phone', '');
    const mute = await post.newBuyer({ phone: '' });
    const messages = await post.told(() => order('course', { user_id: mute.id }));
    expect(messages.map(({ kind, medium }) => `${kind} ${medium}`)).toEqual([
      'order-placed email',
      'new-order email',
    ]);
    await post.fixture.set('notification_phone', seller.phone);
  });
});

describe('A store without senders', () => {
  const silent = usePost([]);

  test('queues no messages', async () => {
    const { post } = silent;
    const user = await post.newBuyer();
    const { id } = await post.fixture.newProduct();
    await post.fixture.newOrder({ product_id: id, user_id: user.id });
    await post.later(3600);
    expect(await post.log()).toEqual([]);
  });
});
