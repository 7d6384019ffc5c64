import { beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/message/schemas.ts';
import { announceEnds } from '../../../src/jobs/expire-subscriptions.ts';
import { percentages } from '../../harness/affiliates.ts';
import { baseUrl } from '../../harness/store.ts';
import { providers } from '../../providers/index.ts';
import { seller, usePost } from './post.ts';

// Tests the data in messages; the tests of the domain check the wording.

const opened = usePost(['resend', 'fonnte']);
const stripe = providers['stripe']?.();

beforeAll(async () => {
  const { store, fixture } = opened.post;
  await stripe?.open(() => store.clock.now());
  Object.assign(await store.environment, stripe?.variables);
  store.restart();
  const account = { owner: 'Toko Kue', info: 'Cabang Kemang' };
  await fixture.set(
    'manual_accounts',
    JSON.stringify([
      { ...account, id: 'BCA', bank: 'BCA', account_number: '123-456' },
      { ...account, id: 'BRI', bank: 'BRI', account_number: '789', info: '' },
    ]),
  );
  return () => stripe?.close();
});

async function told(kind: string, work: () => Promise<unknown>): Promise<Message> {
  const messages = await opened.post.told(work);
  const found = messages.find((message) => message.kind === kind && message.medium === 'email');
  if (!found) throw new Error(`Nobody is told of ${kind}.`);
  return found;
}

const linesOf = ({ text }: Message) => text?.split('\n') ?? [];

const orderOf = async (product: object, fields: object = {}) => {
  const { id } = await opened.post.fixture.newProduct({ price: 350_000, ...product });
  const user_id = (await opened.post.newBuyer()).id;
  return opened.post.fixture.newOrder({
    product_id: id,
    user_id,
    payment_gateway: 'manual',
    ...fields,
  });
};

const move = (id: number, fields: object) => opened.post.fixture.api.patch(`/orders/${id}`, fields);

describe('The message about a new order says how to pay', () => {
  test.each([
    [
      'en',
      (amount: string) => [
        `Please transfer IDR ${amount.replace('.', ',')} to one of these accounts:`,
        '- BCA 123-456, account holder Toko Kue (Cabang Kemang)',
        '- BRI 789, account holder Toko Kue',
        'Please transfer exactly this amount, to the last digit: it is how we recognise your payment.',
      ],
      'Please pay by 13 March 2026 at 16:00 GMT+7. After that, your order is cancelled automatically.',
    ],
    [
      'id',
      (amount: string) => [
        `Silakan transfer Rp${amount} ke salah satu rekening berikut:`,
        '- BCA 123-456 a.n. Toko Kue (Cabang Kemang)',
        '- BRI 789 a.n. Toko Kue',
        'Mohon transfer dengan nominal yang sama persis sampai digit terakhir agar pembayaran Anda dapat kami kenali.',
      ],
      'Mohon lakukan pembayaran paling lambat 13 Maret 2026 pukul 16.00 WIB. Setelah itu, pesanan otomatis dibatalkan.',
    ],
  ])('by transfer, with the exact amount: %s', async (language, transfer, before) => {
    const { post } = opened;
    await post.fixture.set('unique_code_enabled', true);
    const buyer = await post.newBuyer({ language });
    const { id: product_id } = await post.fixture.newProduct({ title: 'Kursus', price: 350_000 });
    let order = { number: '', grand_total: 0 };
    const message = await told('order-placed', async () => {
      order = await post.fixture.newOrder({
        product_id,
        user_id: buyer.id,
        payment_gateway: 'manual',
      });
    });
    await post.fixture.set('unique_code_enabled', false);
    expect(order.grand_total).not.toBe(350_000);
    const amount = `${String(order.grand_total).slice(0, 3)}.${String(order.grand_total).slice(3)}`;
    expect(linesOf(message)).toEqual(expect.arrayContaining([...transfer(amount), before]));
    expect(message).toMatchObject({ language, subject: expect.stringContaining(order.number) });
    expect(message.text).toContain(order.number);
  });

  test('to the chosen account only', async () => {
    const message = await told('order-placed', () =>
      orderOf({}, { payment_gateway: 'manual:BRI' }),
    );
    expect(message.text).toContain('to this account:\n- BRI 789');
    expect(message.text).not.toContain('BCA');
  });

  test('in cash, on delivery', async () => {
    const cod = { active: true, fee: 5000 };
    const message = await told('order-placed', () =>
      orderOf({ type: 'physical', cod }, { payment_gateway: 'cod' }),
    );
    expect(linesOf(message)).toContain('You pay IDR 355,000 in cash when your order is delivered.');
  });

  test('at a provider', async () => {
    const message = await told('order-placed', () => orderOf({}, { payment_gateway: 'stripe' }));
    expect(message.text).toMatch(/^Pay IDR 350,000 with .+ here: https:\/\/toko\.example$/m);
  });
});

describe('The language of a message is', () => {
  test('that of its reader if they chose one, or else that of the store', async () => {
    const { post } = opened;
    await post.fixture.set('language', 'id');
    const [own, stores] = await Promise.all([post.newBuyer({ language: 'en' }), post.newBuyer()]);
    await post.store.settled();
    const { id: product_id } = await post.fixture.newProduct({ price: 1000 });
    const languageOf = async (user_id: number) =>
      (await told('order-placed', () => post.fixture.newOrder({ product_id, user_id }))).language;
    expect(await languageOf(own.id)).toBe('en');
    expect(await languageOf(stores.id)).toBe('id');
    await post.fixture.set('language', 'en');
  });

  test("that of the store for the seller, whatever the buyer's", async () => {
    const { post } = opened;
    const buyer = await post.newBuyer({ language: 'id' });
    const { id: product_id } = await post.fixture.newProduct({ title: 'Kursus', price: 1000 });
    const message = await told('new-order', () =>
      post.fixture.newOrder({ product_id, user_id: buyer.id }),
    );
    expect(message).toMatchObject({ language: 'en', recipient: seller.email, user_id: null });
    expect(linesOf(message)).toEqual(
      expect.arrayContaining([`Buyer: ${buyer.display_name}`, `E-mail: ${buyer.email}`]),
    );
  });
});

test('the message about a completed order links what it opens and shows its codes, and no others', async () => {
  const { post } = opened;
  const { id: product_id } = await post.fixture.newProduct({
    price: 1000,
    license: { active: true, count: 2, expires_days: 30 },
  });
  const page = async (title: string, fields: object) => {
    const { status } = await post.fixture.api.post('/access/content', {
      title,
      url: `https://toko.example/${title}`,
      product_ids: [product_id],
      ...fields,
    });
    expect(status).toBe(201);
  };
  await page('lessons', {});
  await page('slides', { url: '/slides' });
  await page('later', { drip_day: 7 });
  await page('draft', { status: 'draft' });
  await page('elsewhere', { product_ids: [(await post.fixture.newProduct()).id] });
  const order = await post.fixture.newOrder({
    product_id,
    quantity: 1,
    user_id: (await post.newBuyer()).id,
  });
  const message = await told('order-completed', () => move(order.id, { status: 'completed' }));
  const { rows } = await post.store.database.query<{ code: string }>(
    'select code from licenses where order_id = $1',
    [order.id],
  );
  const codes = rows.map(({ code }) => `- ${code}`);
  expect(codes.length).toBeGreaterThan(0);
  expect(linesOf(message)).toEqual(
    expect.arrayContaining([
      '- lessons: https://toko.example/lessons',
      // As a page of the store's site.
      '- slides: https://toko.example/slides',
      ...codes,
    ]),
  );
  expect(message.text).not.toMatch(/later|draft|elsewhere/);
  expect(linesOf(message).filter((line) => line.startsWith('- '))).toHaveLength(codes.length + 2);
});

test('the message about a large completed order lists 50 pages and 50 codes, and the number of the others', async () => {
  const { post } = opened;
  const { id: product_id } = await post.fixture.newProduct({
    price: 1000,
    enable_quantity: true,
    max_quantity: 100,
    license: { active: true },
  });
  await post.store.database.query(
    `insert into access_content (title, url, product_ids, match, drip_day, status, redirect_active,
                                 redirect_link, messages, created_at, updated_at)
     select 'Page ' || n, '/' || n, array[$1::bigint], 'any', 0, 'publish', false, '', '{}', $2, $2
       from generate_series(1, 51) n`,
    [product_id, post.store.clock.now()],
  );
  const user_id = (await post.newBuyer()).id;
  const message = await told('order-completed', () =>
    post.fixture.newOrder({ product_id, user_id, quantity: 53, status: 'completed' }),
  );
  const lines = linesOf(message);
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(100);
  expect(lines).toContain('- Page 50: https://toko.example/50');
  expect(lines.filter((line) => line.includes('more'))).toEqual(['and 1 more', 'and 3 more']);
});

test('the message about a shipped order says how to track it', async () => {
  const { id } = await orderOf({ type: 'physical' });
  const message = await told('order-shipped', () =>
    move(id, {
      status: 'shipping',
      shipping: { tracking_number: 'JNE-77', tracking_url: '/follow/JNE-77' },
    }),
  );
  expect(linesOf(message)).toEqual(
    expect.arrayContaining([
      'Tracking number: JNE-77',
      'Track your parcel: https://toko.example/follow/JNE-77',
    ]),
  );
});

test('the message about a refund gives its amount and reason', async () => {
  const { id } = await orderOf({}, { status: 'completed' });
  const message = await told('order-refunded', () =>
    opened.post.fixture.api.post(`/orders/${id}/refunds`, { amount: 50_000, reason: 'Too late.' }),
  );
  expect(message.text).toContain('IDR 50,000');
  expect(linesOf(message)).toContain('Reason: Too late.');
});

test('the message about a rejected payment gives the reason, and says how to pay', async () => {
  const { api } = opened.post.fixture;
  const { id } = await orderOf({});
  const { body } = await api.post('/confirmations', { order_id: id, total: 349_000 });
  const message = await told('confirmation-rejected', () =>
    api.post(`/confirmations/${body.data.id}`, {
      status: 'rejected',
      reject_reason: 'Unreadable.',
    }),
  );
  expect(linesOf(message)).toContain('Reason: Unreadable.');
  expect(message.text).toContain('Please transfer IDR 350,000');
});

test("the seller's message has the details of the buyer's report", async () => {
  const { id } = await orderOf({});
  const message = await told('new-confirmation', () =>
    opened.post.fixture.api.post('/confirmations', { order_id: id, total: 349_000 }),
  );
  expect(linesOf(message)).toEqual(
    expect.arrayContaining(['Total: IDR 350,000', 'Reported as paid: IDR 349,000']),
  );
});

test("the seller's message reports no amount if the buyer stated none", async () => {
  const { id } = await orderOf({});
  const message = await told('new-confirmation', () =>
    opened.post.fixture.api.post('/confirmations', { order_id: id }),
  );
  expect(linesOf(message)).toContain('Total: IDR 350,000');
  expect(message.text).not.toContain('Reported as paid');
});

test('messages to an affiliate give their commissions and payouts, and nothing about the buyer', async () => {
  const { post } = opened;
  const affiliate = await post.newBuyer({ roles: ['affiliate'] });
  const product = { affiliate: { enabled: true, tiers: percentages(10), hold_days: 0 } };
  const earned = await told('commission-earned', () =>
    orderOf({ title: 'Kursus', ...product }, { affiliate_id: affiliate.id, status: 'completed' }),
  );
  expect(earned).toMatchObject({ recipient: affiliate.email, user_id: affiliate.id });
  expect(earned.text).toContain('a commission of IDR 35,000 on a sale of Kursus');
  const paid = await told('commission-paid', () =>
    post.fixture.api.post('/payouts', {
      affiliate_id: affiliate.id,
      method: 'BCA',
      reference: 'TRX-1',
    }),
  );
  expect(linesOf(paid)).toEqual(expect.arrayContaining(['Paid by: BCA', 'Reference: TRX-1']));
  expect(paid.text).toContain('IDR 35,000');
  expect(paid.order_id).toBeNull();
});

test('the seller gets a message about money that no order waits for', async () => {
  const { post } = opened;
  const order = await orderOf({}, { payment_gateway: 'stripe' });
  await post.fixture.api.get(`/orders/${order.id}/payment-gateway`);
  const reference = stripe?.references().at(-1) ?? '';
  stripe?.pay(reference);
  await move(order.id, { status: 'cancelled' });
  const message = await told('unexpected-payment', async () => {
    for (const callback of stripe?.takeCallbacks(`${baseUrl}/api/svc/v1`) ?? []) {
      expect((await post.store.fetch(callback)).status).toBe(200);
    }
  });
  expect(message.recipient).toBe(seller.email);
  expect(linesOf(message)).toEqual(
    expect.arrayContaining([
      'Amount received: IDR 350,000',
      'What is wrong: the order had been cancelled',
      `Order: ${order.number}`,
    ]),
  );
});

test('The message about a smaller payment that was accepted names the total, and no sum as received', async () => {
  const { post } = opened;
  const { api } = post.fixture;
  const { id, number } = await orderOf({ type: 'physical' }, { payment_gateway: 'stripe' });
  await api.get(`/orders/${id}/payment-gateway`);
  stripe?.pay(stripe.references().at(-1) ?? '', { amount: 300_000 });
  for (const callback of stripe?.takeCallbacks(`${baseUrl}/api/svc/v1`) ?? []) {
    expect((await post.store.fetch(callback)).status).toBe(200);
  }
  const { body } = await api.get(`/payments/unexpected?order_id=${id}`);
  const message = await told('payment-received', () =>
    api.post(`/payments/unexpected/${body.data[0].id}`, { action: 'accept' }),
  );
  expect(message.text).toContain(`We've received your payment for order ${number}`);
  expect(linesOf(message)).toContain('Order total: IDR 350,000');
  expect(message.text?.match(/IDR/g)).toHaveLength(1);
});

test('a name in a message makes no link and no formatting of its own', async () => {
  const { post } = opened;
  const messages = await post.told(() =>
    post.newBuyer({ display_name: '*Win* https://evil.example/now <b>' }),
  );
  expect(messages).toHaveLength(2);
  for (const { text } of messages) {
    expect(text).not.toContain('evil.example');
    expect(text).not.toContain('https://evil');
  }
  const arrived = post.sender('email').sent().at(-1);
  expect(arrived?.html).toContain('&lt;b&gt;');
  expect(arrived?.html).not.toContain('<b>');
});

test('The message about the end of a subscription names the total of its next order, with added tax', async () => {
  const { post } = opened;
  const regular = { duration: 5, period: 'daily', price: 100_000 };
  const { user_id } = await orderOf(
    {
      payment_type: 'recurring',
      subscription: { active: true, regular },
      tax: { enabled: true, rate: 11, inclusive: false },
    },
    { status: 'completed' },
  );
  await post.store.settled();
  post.store.clock.advance(3 * 86_400);
  const services = await post.store.services();
  const message = await told('subscription-ending', async () => {
    await announceEnds(services);
    await post.later(0);
  });
  expect(message.user_id).toBe(user_id);
  expect(linesOf(message)).toContain('Price of the renewal: IDR 111,000');
});
