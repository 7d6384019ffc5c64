import { beforeAll, describe, expect, test } from 'vitest';
import { renewalTerms } from '../../../src/domain/checkout/terms.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { fieldsOf } from './buyer.ts';
import { Members } from './member.ts';

const opened = useStoreFixture();
let members: Members;

const accounts = [{ id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '1234567890' }];

beforeAll(async () => {
  members = new Members(opened.fixture);
  await opened.fixture.set('manual_accounts', JSON.stringify(accounts));
});

const van = {
  ...{ id: 'van', courier: 'van', service: '', label: '', cost: 500, per_kg: 0, free_above: null },
  ...{ etd_days_min: 0, etd_days_max: 1, cod: true, countries: [] },
};
const box = {
  ...{ type: 'physical', price: 9000, cod: { active: true, fee: 0 } },
  shipping: { active: true, options: [van] },
};
const shipping = {
  ...{ option_id: 'van', country: 'ID', receiver: 'Ani', phone: '1' },
  ...{ address: 'Jl. 1', postal_code: '1' },
};

/** A member's subscription, with its page in the account. */
async function newMember(product: object = {}, first: object = {}) {
  const { fixture } = opened;
  const { subscription, ...fields } = product as { subscription?: object };
  const club = await fixture.newProduct({
    ...{ title: 'Box', price: 9000, payment_type: 'recurring' },
    subscription: {
      active: true,
      regular: { duration: 1, period: 'monthly', price: 0 },
      ...subscription,
    },
    ...fields,
  });
  const order = await fixture.newOrder({ product_id: club.id, status: 'completed', ...first });
  const [{ id }] = (await fixture.api.get(`/subscriptions?user_id=${order.user_id}`)).body.data;
  const headers = await members.signIn(order.user_id);
  const path = `/account/subscriptions/${id}`;
  return {
    ...{ id: id as number, club, order },
    open: async () => {
      const page = await members.open(path, headers);
      expect(page.trips).toBe(1);
      return page.text;
    },
    renew: async (fields: Record<string, string>) => {
      const sent = await members.send(`${path}/renew`, fields, headers);
      return (sent.headers.get('location') ?? '').replace(/^https:\/\/[^/]+/, '');
    },
    orders: async () => (await fixture.api.get(`/orders?user_id=${order.user_id}`)).body.data,
    subscription: async () => (await fixture.api.get(`/subscriptions/${id}`)).body.data,
    cancel: (at: string) => fixture.api.post(`/subscriptions/${id}/cancel`, { at }),
  };
}

const byDelivery = (page: string) => ({
  ...fieldsOf(page),
  pay: /value="(cod [^"]*)"/.exec(page)?.[1] ?? '',
});

describe('A renewal paid on delivery', () => {
  test('is placed once, and the account leads to it until it completes', async () => {
    const { fixture } = opened;
    const { open, renew, orders } = await newMember(box, { shipping });
    const form = byDelivery(await open());
    const place = await renew(form);
    expect(place).toMatch(/^\/account\/orders\/\d+$/);
    expect(await renew(form)).toBe(place);
    const [renewal, ...others] = await orders();
    expect(renewal).toMatchObject({ status: 'in-progress', payment_gateway: 'cod' });
    expect(others).toHaveLength(1);
    const page = await open();
    expect(page).toContain(`href="${place}">Open ${renewal.number}`);
    expect(page).not.toContain('/renew"');
    await fixture.api.patch(`/orders/${renewal.id}`, { status: 'completed' });
    expect(await open()).toContain('/renew"');
  });

  test.each(['now', 'end'])('is cancelled with its subscription, at %s', async (at) => {
    const { fixture } = opened;
    const { open, renew, orders, cancel, subscription } = await newMember(box, { shipping });
    await renew(byDelivery(await open()));
    expect(await cancel(at)).toMatchObject({ status: 200, trips: 2 });
    const [renewal] = await orders();
    expect(renewal.status).toBe('cancelled');
    for (const status of ['completed', 'on-hold']) {
      const reply = await fixture.api.patch(`/orders/${renewal.id}`, { status });
      expect(reply.status).toBe(409);
    }
    const { status, scheduled } = await subscription();
    expect(at === 'now' ? status : scheduled[0].change).toMatch(/^cancel/);
  });

  test('costs what the account says beside its way to pay, with the fee', async () => {
    const { open, renew, orders, club } = await newMember(
      { ...box, cod: { active: true, fee: 1000 } },
      { shipping },
    );
    const page = await open();
    expect(page).toContain('The next term costs $95.00');
    expect(page).toMatch(/<option value="manual 9500">[^<$]*<\/option>/);
    expect(page).toMatch(/<option value="cod 10500">[^<]* · \$105\.00<\/option>/);
    const { fixture } = opened;
    await fixture.api.patch(`/products/${club.id}`, { cod: { active: true, fee: 2000 } });
    expect(await renew(byDelivery(page))).toContain('said=changed');
    expect(await renew(byDelivery(await open()))).toContain('/account/orders/');
    const [{ grand_total, fee_total }] = await orders();
    expect({ grand_total, fee_total }).toEqual({ grand_total: 11_500, fee_total: 2000 });
  });

  test.each([
    ['its way to ship does not allow that', {}, [{ ...van, cod: false }]],
    ['the way to ship that is left does not allow that', {}, [{ ...van, id: 'bike', cod: false }]],
    ['it is an instalment, which ships nothing', { payments: 3 }, [van]],
  ])('is not offered if %s', async (_, subscription, options) => {
    const { fixture } = opened;
    const { open, renew, club } = await newMember({ ...box, subscription }, { shipping });
    await fixture.api.patch(`/products/${club.id}`, { shipping: { active: true, options } });
    const page = await open();
    expect(page).toContain('/renew"');
    expect(page).not.toContain('cod');
    expect(await renew(fieldsOf(page))).toContain('/account/orders/');
  });

  test('goes on if it was shipped before its subscription is cancelled', async () => {
    const { fixture } = opened;
    const { open, renew, orders, cancel, subscription } = await newMember(box, { shipping });
    await renew(byDelivery(await open()));
    const [{ id }] = await orders();
    const sent = { status: 'shipping', tracking_number: 'R1' };
    expect((await fixture.api.patch(`/orders/${id}`, sent)).status).toBe(200);
    expect((await cancel('now')).status).toBe(200);
    expect(await fixture.order(id)).toMatchObject({ status: 'shipping' });
    await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
    expect(await subscription()).toMatchObject({
      ...{ status: 'active', renewable: false },
      scheduled: [{ change: 'cancel' }],
    });
  });
});

test.each([
  [
    'is shorter',
    { subscription: { regular: { duration: 1, period: 'daily', price: 0 } } },
    'lasts 1 day.',
  ],
  ['is called otherwise', { title: 'Bag' }, 'Bag'],
])(
  'A term that %s than the account said is shown again, and not ordered',
  async (_, change, text) => {
    const { fixture } = opened;
    const { club, open, renew, orders } = await newMember();
    const page = await open();
    expect(page).toContain('The next term costs $90.00 and lasts 1 month.');
    await fixture.api.patch(`/products/${club.id}`, change);
    expect(await renew(fieldsOf(page))).toContain('said=changed');
    expect(await orders()).toHaveLength(1);
    const again = await open();
    expect(again).toContain(text);
    expect(await renew(fieldsOf(again))).toContain('/account/orders/');
  },
);

test('A member whose term got another end sees it before the next one is ordered', async () => {
  const { fixture } = opened;
  const { id, open, renew } = await newMember();
  const page = await open();
  const end_date = '2027-06-01T00:00:00.000Z';
  expect((await fixture.api.patch(`/subscriptions/${id}`, { end_date })).status).toBe(200);
  expect(await renew(fieldsOf(page))).toContain('said=changed');
});

test('A form from before an upgrade, which says no terms, orders nothing', async () => {
  const { open, renew, orders } = await newMember();
  const { terms: _, ...form } = fieldsOf(await open());
  expect(await renew(form)).toContain('said=changed');
  expect(await orders()).toHaveLength(1);
});

test('A renewal that costs nothing extends the term once, however often its form is sent', async () => {
  const { fixture } = opened;
  const { id, open, renew, orders, subscription } = await newMember();
  expect((await fixture.api.patch(`/subscriptions/${id}`, { next_price: 0 })).status).toBe(200);
  const { end_date: before } = await subscription();
  const form = fieldsOf(await open());
  const places = [await renew(form), await renew(form), await renew(form)];
  const [renewal, ...others] = await orders();
  expect(renewal).toMatchObject({ status: 'completed', grand_total: 0 });
  expect(others).toHaveLength(1);
  expect(new Set(places)).toEqual(new Set([`/account/orders/${renewal.id}`]));
  const { end_date } = await subscription();
  expect(end_date > before).toBe(true);
});

describe('A renewal that costs nothing', () => {
  const early = 'You have ordered the next term already';
  const month = 31 * 86_400;

  /** A member whose terms cost nothing, with a renewal that says if it was ordered. */
  async function newGuest(product: object = {}) {
    const { fixture } = opened;
    const guest = await newMember(product);
    await fixture.api.patch(`/subscriptions/${guest.id}`, { next_price: 0 });
    const path = `/account/subscriptions/${guest.id}`;
    // A session ends after 30 days without use.
    const signIn = () => members.signIn(guest.order.user_id);
    const page = async () => (await members.open(path, await signIn())).text;
    return {
      ...guest,
      page,
      /** Sends the form of the page, or one made by hand if the page has none. */
      again: async () => {
        const { order_id } = await guest.subscription();
        const form = { pay: 'manual 0', last: String(order_id), ...fieldsOf(await page()) };
        const before = await guest.orders();
        await members.send(`${path}/renew`, form, await signIn());
        return (await guest.orders()).length > before.length;
      },
    };
  }

  test('is ordered once ahead, and again when that term has begun', async () => {
    const { fixture } = opened;
    const { again, page, subscription } = await newGuest();
    expect([await again(), await again(), await again()]).toEqual([true, false, false]);
    expect(await page()).toContain(early);
    expect(await page()).not.toContain('/renew"');
    fixture.store.clock.advance(month);
    expect(await page()).toContain('/renew"');
    expect([await again(), await again()]).toEqual([true, false]);
    expect((await subscription()).status).toBe('active');
  });

  test('is refused to a form that was made by hand, with the terms that a page would name', async () => {
    const { again, club, renew, orders, subscription } = await newGuest();
    expect(await again()).toBe(true);
    const { order_id, ...rest } = await subscription();
    const facts = { subscription: rest, agreed: { plan: null }, product: club };
    const terms = renewalTerms(facts, 'USD');
    const form = { pay: 'manual 0', last: String(order_id), terms };
    expect(await renew(form)).toContain('said=changed');
    expect(await orders()).toHaveLength(2);
    // Once the term has begun, that form is right.
    opened.fixture.store.clock.advance(month);
    const path = `/account/subscriptions/${rest.id}/renew`;
    const sent = await members.send(path, form, await members.signIn(rest.user_id));
    expect(sent.headers.get('location')).toContain('/account/orders/');
    expect(await orders()).toHaveLength(3);
  });

  test('follows the trial, and is ordered once before the trial ends', async () => {
    const tryout = { active: true, duration: 7, period: 'daily', first_only: false };
    const { again } = await newGuest({ subscription: { tryout } });
    expect([await again(), await again()]).toEqual([true, false]);
  });

  test('pays the instalments of a plan one by one, whatever its days of grace', async () => {
    const { fixture } = opened;
    const { again, subscription } = await newGuest({
      subscription: { payments: 3, after: 'keep', grace_days: 60 },
    });
    expect([await again(), await again()]).toEqual([true, false]);
    fixture.store.clock.advance(month);
    expect(await again()).toBe(true);
    expect(await subscription()).toMatchObject({ paid: 3, end_date: null });
  });

  test('waits as long as the term before it, which a pause moves', async () => {
    const { fixture } = opened;
    const { id, again } = await newGuest();
    expect(await again()).toBe(true);
    await fixture.api.post(`/subscriptions/${id}/pause`, {});
    fixture.store.clock.advance(2 * month);
    expect(await again()).toBe(false);
    await fixture.api.post(`/subscriptions/${id}/resume`, {});
    expect(await again()).toBe(false);
    fixture.store.clock.advance(month);
    expect(await again()).toBe(true);
  });

  test('is ordered if the store took the term ahead away', async () => {
    const { fixture } = opened;
    const { id, again } = await newGuest();
    expect([await again(), await again()]).toEqual([true, false]);
    const end = new Date(fixture.store.clock.now().getTime() + 86_400_000);
    await fixture.api.patch(`/subscriptions/${id}`, { end_date: end.toISOString() });
    expect([await again(), await again()]).toEqual([true, false]);
  });

  test('is ordered by the API as often as the store wants', async () => {
    const { fixture } = opened;
    const { order, club, again } = await newGuest();
    const next = { product_id: club.id, user_id: order.user_id, order_parent_id: order.id };
    for (let i = 0; i < 3; i++) {
      expect((await fixture.newOrder(next)).status).toBe('completed');
    }
    expect(await again()).toBe(false);
  });
});

test('A member of a free group keeps one term at most after leaving it', async () => {
  const { fixture } = opened;
  const discount = { enabled: true, type: 'percentage', value: 100 };
  const { body } = await fixture.api.post('/user-groups', { name: 'Staff', discount });
  const user = await fixture.newUser({ group_id: body.data.id });
  const { open, renew, orders } = await newMember({}, { user_id: user.id });
  for (let i = 0; i < 3; i++) await renew(fieldsOf(await open()));
  expect(await orders()).toHaveLength(2);
  await fixture.api.post(`/users/${user.id}/group`, { group_id: null, force: true });
  expect(await open()).toContain('The next term costs $90.00');
});

test('A renewal that costs nothing has no fee for its delivery', async () => {
  const { fixture } = opened;
  const free = { ...van, cost: 0 };
  const { id, open, renew, orders } = await newMember(
    {
      ...box,
      ...{ cod: { active: true, fee: 1000 }, shipping: { active: true, options: [free] } },
    },
    { shipping },
  );
  await fixture.api.patch(`/subscriptions/${id}`, { next_price: 0 });
  const page = await open();
  expect(page).not.toContain('cod');
  await renew(fieldsOf(page));
  expect(await orders()).toMatchObject([{ grand_total: 0, payment_gateway: 'free' }, {}]);
});

test('A store without any way to be paid takes renewals, as its checkout takes orders', async () => {
  const { fixture } = opened;
  const { open, renew, orders } = await newMember({ cod: { active: false, fee: 0 } });
  await fixture.set('manual_accounts', '[]');
  await renew(fieldsOf(await open()));
  await fixture.set('manual_accounts', JSON.stringify(accounts));
  expect(await orders()).toMatchObject([{ status: 'on-hold', payment_gateway: 'manual' }, {}]);
});

test('Without its product a subscription is not renewed in the account, which says so', async () => {
  const { club, open, subscription } = await newMember();
  expect((await opened.fixture.api.delete(`/products/${club.id}`)).status).toBe(200);
  expect(await subscription()).toMatchObject({ status: 'active', renewable: false });
  const page = await open();
  expect(page).toContain('This cannot be renewed here at the moment');
  expect(page).not.toContain('/renew"');
});

test('A subscription is renewed in the account after its first order is deleted', async () => {
  const { fixture } = opened;
  const { order, club, open, renew, orders } = await newMember();
  const later = { product_id: club.id, user_id: order.user_id, order_parent_id: order.id };
  await fixture.newOrder({ ...later, status: 'completed' });
  expect((await fixture.api.delete(`/orders/${order.id}`)).status).toBe(200);
  expect(await renew(fieldsOf(await open()))).toMatch(/^\/account\/orders\/\d+$/);
  expect(await orders()).toMatchObject([
    { status: 'on-hold', order_parent_id: order.id, grand_total: expect.any(Number) },
    { status: 'completed' },
  ]);
});

test('after these tests every derived figure is right', () => expectIntegrity(opened.fixture));

test('A cancelled renewal leads to the account, where its subscription goes on', async () => {
  const { fixture } = opened;
  const { order, club, open, renew } = await newMember();
  const place = await renew(fieldsOf(await open()));
  await fixture.api.patch(`/orders/${place.split('/').at(-1)}`, { status: 'cancelled' });
  const { text } = await members.open(place, await members.signIn(order.user_id));
  expect(text).toContain('To continue your subscription');
  expect(text).not.toContain(`/checkout/${club.slug}`);
});

test('The account says until when a member had access to an expired subscription', async () => {
  const { fixture } = opened;
  const { order, id } = await newMember();
  const read = async (place: string) =>
    (await members.open(place, await members.signIn(order.user_id))).text;
  const open = () => read(`/account/subscriptions/${id}`);
  expect(await read('/account')).toMatch(/Active\s*<span class="faint">\s*until /);
  expect(await open()).toMatch(/You have access until .*It begins when the current one ends/s);
  fixture.store.clock.advance(50 * 86_400);
  const page = await open();
  expect(page).toContain('You had access until');
  expect(page).not.toContain('It begins when the current one ends');
  expect(await read('/account')).toMatch(/Expired\s*<span class="faint">\s*\d/);
});

test('The account renews with the option of the last paid term, which a former version let differ from the first one', async () => {
  const { fixture } = opened;
  const size = { id: 'size', key: 'size', label: 'Size', required: true };
  const large = { id: 'large', label: 'Large', extra_price: 3000, active: true };
  const small = { ...large, id: 'small', label: 'Small', extra_price: 0 };
  const { club, order, open, renew, orders } = await newMember(
    { variants: [{ ...size, options: [small, large] }] },
    { variants: ['large'] },
  );
  const next = { product_id: club.id, user_id: order.user_id, order_parent_id: order.id };
  await fixture.newOrder({ ...next, status: 'completed' });
  await fixture.store.database.query(
    `update orders set variants = jsonb_set(variants, '{0,option_id}', '"small"') where id = $1`,
    [order.id],
  );
  const page = await open();
  expect(page).toContain('The next term costs $120.00');
  expect(await renew({ ...fieldsOf(page), pay: 'manual 12000' })).toMatch(/\/orders\/\d+$/);
  const [renewal] = await orders();
  expect(renewal).toMatchObject({ variants: [{ option_id: 'large' }], variant_total: 3000 });
});
