import { beforeAll, describe, expect, test } from 'vitest';
import {
  announceEnds,
  announceOverdues,
  expireSubscriptions,
} from '../../../src/jobs/expire-subscriptions.ts';
import { usePost } from './post.ts';

const day = 86_400;
const opened = usePost(['resend']);

beforeAll(async () => {
  const { fixture } = opened.post;
  const account = { id: 'BCA', bank: 'BCA', owner: 'Toko', account_number: '1' };
  await fixture.set('manual_accounts', JSON.stringify([account]));
  await fixture.set('auto_cancel_days', 60);
  const template = {
    ...{ type: 'recurring', direction: 'before', offset: 1, media: ['email'] },
    title: 'Reminder',
    content: 'To pay: {{amount}}',
  };
  expect((await fixture.api.post('/reminder-templates', template)).status).toBe(201);
});

/** A member of a club, with a first order. */
async function join(product: object = {}, terms: object = {}, first: object = {}) {
  const { fixture, newBuyer } = opened.post;
  const club = await fixture.newProduct({
    title: 'Club',
    price: 50_000,
    payment_type: 'recurring',
    subscription: {
      active: true,
      regular: { duration: 5, period: 'daily', price: 0 },
      ...terms,
    },
    ...product,
  });
  const user_id = (await newBuyer()).id;
  const order = { product_id: club.id, user_id, payment_gateway: 'manual' };
  const { id } = await fixture.newOrder({ ...order, status: 'completed', ...first });
  const renew = (fields: object = {}) =>
    fixture.newOrder({ ...order, order_parent_id: id, ...fields });
  return { club, user_id, renew };
}

/** Lets days pass, and returns the texts of the messages about the subscription that the member got in them. */
async function pass(days: number, user_id: number): Promise<Record<string, string>> {
  const { post } = opened;
  await post.store.settled();
  const [newest] = (await post.log(`user_id=${user_id}`)).slice(-1);
  for (let passed = 0; passed < days; passed += 2) {
    post.store.clock.advance(2 * day);
    const services = await post.store.services();
    for (const job of [announceEnds, announceOverdues, expireSubscriptions]) await job(services);
    await post.later(0);
  }
  const messages = await post.log(`user_id=${user_id}&status=sent`);
  const found = messages.filter(({ id }) => id > (newest?.id ?? 0));
  return Object.fromEntries(found.map(({ kind, text }) => [kind, text ?? '']));
}

const expectNoRequest = (ended: string | undefined) => {
  expect(ended).toContain('ended on');
  expect(ended).not.toMatch(/renew|IDR/);
};

describe('Messages about a subscription ask for nothing', () => {
  test('once its plan is fully paid', async () => {
    const { user_id, renew } = await join({}, { payments: 2, after: 'end' });
    await renew({ status: 'completed' });
    const messages = await pass(12, user_id);
    expect(Object.keys(messages)).toEqual(['subscription-ended']);
    expectNoRequest(messages['subscription-ended']);
  });

  test('once its product is deleted', async () => {
    const { club, user_id } = await join();
    await opened.post.fixture.api.delete(`/products/${club.id}`);
    const messages = await pass(6, user_id);
    expect(Object.keys(messages)).toEqual(['subscription-ended']);
    expectNoRequest(messages['subscription-ended']);
  });

  test('while a plan whose product is deleted is overdue', async () => {
    const { club, user_id } = await join({}, { payments: 3, grace_days: 5 });
    await opened.post.fixture.api.delete(`/products/${club.id}`);
    expect(await pass(6, user_id)).toEqual({});
  });

  test('while a paid renewal is in progress', async () => {
    const { user_id, renew } = await join({ type: 'physical' });
    await renew({ status: 'in-progress' });
    expect(await pass(6, user_id)).toEqual({});
  });

  test('while a renewal to be paid on delivery is in progress', async () => {
    const cod = { active: true, fee: 5000 };
    const { user_id, renew } = await join({ type: 'physical', cod });
    await renew({ payment_gateway: 'cod' });
    expect(await pass(6, user_id)).toEqual({});
  });

  test('while the payment of a renewal is checked', async () => {
    const { user_id, renew } = await join();
    const { id } = await renew();
    const proof = { order_id: id, total: 50_000 };
    expect((await opened.post.fixture.api.post('/confirmations', proof)).status).toBe(201);
    expect(await pass(6, user_id)).toEqual({});
  });

  test('while an instalment that is paid, but not completed, is overdue', async () => {
    const { user_id, renew } = await join({}, { payments: 3, grace_days: 5 });
    const { id } = await renew();
    const proof = { order_id: id, total: 50_000 };
    expect((await opened.post.fixture.api.post('/confirmations', proof)).status).toBe(201);
    expect(await pass(12, user_id)).toEqual({});
  });

  test('that is too late', async () => {
    const { post } = opened;
    const { user_id } = await join({}, { max_renewal: 1 });
    await pass(4, user_id);
    post.store.clock.advance(3 * day);
    expectNoRequest((await pass(2, user_id))['subscription-ended']);
  });
});

describe('Messages about a subscription name the total', () => {
  test('of the next term, if no renewal is open', async () => {
    const { user_id } = await join({}, { max_renewal: 1 });
    const messages = await pass(6, user_id);
    expect(messages).toEqual({
      'subscription-ending': expect.stringContaining('Price of the renewal: IDR 50,000'),
      reminder: expect.stringContaining('To pay: IDR 50,000'),
      'subscription-ended': expect.stringContaining('You can renew it for IDR 50,000'),
    });
    expect(messages['subscription-ended']).not.toContain('any time');
  });

  test('of the open renewal, after the price of the product changed', async () => {
    const { club, user_id, renew } = await join();
    await renew();
    await opened.post.fixture.api.patch(`/products/${club.id}`, { price: 70_000 });
    expect(await pass(6, user_id)).toEqual({
      'subscription-ending': expect.stringContaining('IDR 50,000'),
      reminder: expect.stringContaining('IDR 50,000'),
      'subscription-ended': expect.stringContaining('IDR 50,000'),
    });
  });

  test('of the open renewal with the sign-up fee after a trial', async () => {
    const tryout = { active: true, duration: 5, period: 'daily', first_only: false };
    const terms = { tryout, signup: { active: true, fee: 25_000 } };
    const { user_id, renew } = await join({}, terms, { status: undefined });
    expect((await renew()).grand_total).toBe(75_000);
    expect(await pass(6, user_id)).toEqual({
      'subscription-ending': expect.stringContaining('IDR 75,000'),
      reminder: expect.stringContaining('IDR 75,000'),
      'subscription-ended': expect.stringContaining('IDR 75,000'),
    });
  });

  test('that the store gave an open instalment', async () => {
    const { user_id, renew } = await join({}, { payments: 3, grace_days: 5 });
    const { id } = await renew();
    const change = { grand_total: 30_000, reason: 'Agreed.' };
    expect((await opened.post.fixture.api.patch(`/orders/${id}`, change)).status).toBe(200);
    expect(await pass(12, user_id)).toEqual({
      reminder: expect.stringContaining('IDR 30,000'),
      'payment-overdue': expect.stringContaining('IDR 30,000'),
      'subscription-ending': expect.stringContaining('IDR 30,000'),
      'subscription-ended': expect.stringContaining('IDR 30,000'),
    });
  });
});
