import { beforeAll, expect } from 'vitest';
import type * as z from 'zod';
import { long } from '../harness/long.ts';
import { silence } from '../harness/silence.ts';
import { newSecret } from '../../src/kernel/events/signing.ts';
import type { License } from '../../src/domain/license/schemas.ts';
import type { Order } from '../../src/domain/order/schemas.ts';
import type { Reminder as ReminderSchema } from '../../src/domain/reminder/schemas.ts';
import { runJobs } from '../../src/jobs/index.ts';
import { useReceiver } from '../kernel/events/receiver.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

// One buyer's year in Berlin, where the clocks are put forward on 29 March and back on 25 October.
// She buys a course, a licence for 90 days and a monthly subscription half an hour after midnight on
// 31 January, which is still the 30th in UTC.

type Reminder = z.output<typeof ReminderSchema>;

const opened = useStoreFixture();
const fixture = () => opened.fixture;
const provider = useReceiver();

let ada: number;
let course: number;
let software: number;
let club: number;
const lessons: number[] = [];
let orders: { course: Order; software: Order; club: Order };
let license: License;

beforeAll(async () => {
  const environment = await fixture().store.environment;
  environment['REMINDER_URL'] = provider.url('/messages');
  environment['REMINDER_SECRET'] = newSecret();
  await silence(fixture().store);
  await fixture().set('timezone', 'Europe/Berlin');
  const product = async (fields: object) => (await fixture().newProduct(fields)).id;
  course = await product({ title: 'Course', price: 100_000 });
  software = await product({
    title: 'Software',
    license: { active: true, count: 2, expires_days: 90, max_resets: 1 },
  });
  club = await product({
    title: 'Club',
    payment_type: 'recurring',
    subscription: {
      active: true,
      regular: { duration: 1, period: 'monthly', price: 50_000 },
      signup: { active: true, fee: 20_000 },
    },
  });
  for (const drip_day of [0, 7, 30, 60]) {
    const content = { title: `Lesson ${drip_day}`, product_ids: [course], drip_day };
    lessons.push((await fixture().api.post('/access/content', content)).body.data.id);
  }
  const template = (type: string, offset: number, hour: number, direction: string, title: string) =>
    fixture().api.post('/reminder-templates', {
      ...{ type, offset, hour, direction, title },
      content: '{{product-name}}: {{amount}}, {{end-date}}',
    });
  await template('order', 1, 8, 'after', 'Please pay');
  await template('recurring', 3, 9, 'before', 'Ends soon');
  await template('recurring', 2, 10, 'after', 'Come back');
  ada = (await fixture().newUser({ email: 'ada@people.example' })).id;
});

const at = (instant: string) => fixture().store.clock.set(instant);

const cron = async (instant: string) => {
  at(instant);
  const problems: unknown[] = [];
  await runJobs(await fixture().store.services(), (line) => problems.push(line));
  expect(problems).toEqual([]);
};

/** The reminders since the last call, as title and first line. */
const messages = () =>
  provider.received.splice(0).map(({ json }) => [json.title, json.content.split('\n')[0].trim()]);

const change = async ({ id }: Order, status: string) => {
  const reply = await fixture().api.patch(`/orders/${id}`, { status });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};

const refund = async ({ id }: Order) =>
  expect((await fixture().api.post(`/orders/${id}/refunds`, {})).status).toBe(201);

const access = async (product_id: number) => {
  const { body } = await fixture().api.get(`/access/check?user_id=${ada}&product_id=${product_id}`);
  return [body.reason, body.detail.end_active];
};

/** The verdict on each lesson for Ada. */
const lessonsOpen = async () => {
  const replies = lessons.map((id) =>
    fixture().api.get(`/access/content/${id}/check?user_id=${ada}`),
  );
  return (await Promise.all(replies)).map(({ body }) => body.reason);
};

const availableAt = async (lesson: number) => {
  const path = `/access/content/${lessons[lesson]}/check?user_id=${ada}`;
  return (await fixture().api.get(path)).body.detail.available_at;
};

const validate = async (string: string) => {
  const { body } = await fixture().api.post('/licenses/validate', {
    license: license.code,
    string,
  });
  return body.code;
};

const register = (string: string) =>
  fixture().api.post('/licenses/register', { license: license.code, string });

/** The reminders of a subscription's end, in the order in which they are due. */
const ofEnds = async () => {
  const { body } = await fixture().api.get(`/reminders?order_id=${orders.club.id}&per_page=100`);
  return (body.data as Reminder[])
    .filter(({ reminder_type }) => reminder_type === 'recurring')
    .sort((a, b) => a.scheduled_at.localeCompare(b.scheduled_at))
    .map(({ title, scheduled_at, status }) => [title, scheduled_at, status]);
};

const renew = (fields: object = {}) =>
  fixture().newOrder({
    ...{ product_id: club, user_id: ada, order_parent_id: orders.club.id },
    ...fields,
  });

long('31 January: an unpaid order gives nothing', async () => {
  at('2026-01-30T23:30:00Z');
  const buy = (product_id: number) => fixture().newOrder({ product_id, user_id: ada });
  orders = { course: await buy(course), software: await buy(software), club: await buy(club) };
  expect(orders.club).toMatchObject({ type: 'subscription-signup', grand_total: 70_000 });
  for (const product of [course, software, club]) {
    expect(await access(product)).toEqual(['not-bought', null]);
  }
  expect(await lessonsOpen()).toEqual(lessons.map(() => 'not-bought'));
  const { body } = await fixture().api.get(`/licenses?user_id=${ada}`);
  expect(body.data).toEqual([]);
  const reminders = await fixture().api.get(`/reminders?user_id=${ada}&status=pending`);
  expect(
    reminders.body.data.map(({ title, scheduled_at }: Reminder) => [title, scheduled_at]),
  ).toEqual(lessons.slice(1).map(() => ['Please pay', '2026-02-01T07:00:00.000Z']));
});

long(
  'after the payment the course, the licence and the subscription begin, and no reminder of the payment is sent',
  async () => {
    for (const order of Object.values(orders)) await change(order, 'completed');
    expect(await access(course)).toEqual(['ok', null]);
    expect(await access(software)).toEqual(['ok', null]);
    // February has no 31st, so the term ends on its last day.
    expect(await access(club)).toEqual(['ok', '2026-02-27T23:30:00.000Z']);
    expect(await lessonsOpen()).toEqual(['ok', 'drip-content', 'drip-content', 'drip-content']);
    expect(await availableAt(1)).toBe('2026-02-06T23:30:00.000Z');
    const { body } = await fixture().api.get(`/licenses?user_id=${ada}&reveal=true`);
    [license] = body.data;
    expect(license).toMatchObject({
      status: 'active',
      activation_limit: 2,
      expires_at: '2026-04-30T23:30:00.000Z',
    });
    expect(await ofEnds()).toEqual([
      ['Ends soon', '2026-02-25T08:00:00.000Z', 'pending'],
      ['Come back', '2026-03-02T09:00:00.000Z', 'pending'],
    ]);
    await cron('2026-02-01T07:00:00Z');
    expect(messages()).toEqual([]);
  },
);

long('two seats are taken, and a third site gets none', async () => {
  expect(await validate('one.example')).toBe('NO_ACTIVATION');
  expect((await register('https://www.one.example/')).status).toBe(200);
  expect((await register('two.example')).status).toBe(200);
  expect((await register('staging.two.example')).status).toBe(200);
  expect((await register('three.example')).body.code).toBe('license_limit_reached');
  expect(await validate('one.example')).toBe('VALID');
  expect(await validate('three.example')).toBe('LIMIT_REACHED');
});

long('7 February: the second lesson opens, to the second', async () => {
  at('2026-02-06T23:29:59Z');
  expect(await lessonsOpen()).toEqual(['ok', 'drip-content', 'drip-content', 'drip-content']);
  at('2026-02-06T23:30:00Z');
  expect(await lessonsOpen()).toEqual(['ok', 'ok', 'drip-content', 'drip-content']);
});

long(
  '25 February: three days before the end a message names its day and the price of a renewal',
  async () => {
    await cron('2026-02-25T07:59:59Z');
    expect(messages()).toEqual([]);
    await cron('2026-02-25T08:00:00Z');
    expect(messages()).toEqual([['Ends soon', 'Club: $500.00, 28 February 2026']]);
  },
);

long('26 February: a renewal extends it to the last day of March once it is paid', async () => {
  at('2026-02-25T12:00:00Z');
  const renewal = await renew();
  expect(renewal).toMatchObject({ type: 'subscription-regular', grand_total: 50_000 });
  expect(await access(club)).toEqual(['ok', '2026-02-27T23:30:00.000Z']);
  await cron('2026-02-26T07:00:00Z');
  expect(messages()).toEqual([['Please pay', 'Club: $500.00,']]);
  at('2026-02-26T12:00:00Z');
  await change(renewal, 'completed');
  // From the 31st on, and after the clocks were put forward: half past midnight is 22:30 in UTC.
  expect(await access(club)).toEqual(['ok', '2026-03-30T22:30:00.000Z']);
  expect(await ofEnds()).toEqual([
    ['Ends soon', '2026-02-25T08:00:00.000Z', 'sent'],
    ['Come back', '2026-03-02T09:00:00.000Z', 'cancelled'],
    ['Ends soon', '2026-03-28T08:00:00.000Z', 'pending'],
    ['Come back', '2026-04-02T08:00:00.000Z', 'pending'],
  ]);
});

long(
  '2 March: the third lesson opens, and a renewed subscriber gets no reminder to come back',
  async () => {
    await cron('2026-03-02T09:00:00Z');
    expect(messages()).toEqual([]);
    expect(await lessonsOpen()).toEqual(['ok', 'ok', 'ok', 'drip-content']);
    // Sixty days by the clocks of Berlin, an hour less by those of UTC.
    expect(await availableAt(3)).toBe('2026-03-31T22:30:00.000Z');
  },
);

long('31 March: the subscription ends, to the second', async () => {
  await cron('2026-03-28T08:00:00Z');
  expect(messages()).toEqual([['Ends soon', 'Club: $500.00, 31 March 2026']]);
  await cron('2026-03-30T22:29:59Z');
  expect(await access(club)).toEqual(['ok', '2026-03-30T22:30:00.000Z']);
  await cron('2026-03-30T22:30:00Z');
  expect(await access(club)).toEqual(['expired', '2026-03-30T22:30:00.000Z']);
  expect(await access(course)).toEqual(['ok', null]);
});

long('1 April: the last lesson opens; a cancelled renewal changes nothing', async () => {
  at('2026-03-31T22:29:59Z');
  expect(await lessonsOpen()).toEqual(['ok', 'ok', 'ok', 'drip-content']);
  at('2026-03-31T22:30:00Z');
  expect(await lessonsOpen()).toEqual(['ok', 'ok', 'ok', 'ok']);
  const renewal = await renew();
  await change(renewal, 'cancelled');
  expect(await access(club)).toEqual(['expired', '2026-03-30T22:30:00.000Z']);
  await cron('2026-04-02T08:00:00Z');
  expect(messages()).toEqual([['Come back', 'Club: $500.00, 31 March 2026']]);
});

long(
  '10 April: a late renewal starts again; its refund removes its time and its reminders',
  async () => {
    at('2026-04-10T12:00:00Z');
    const renewal = await renew({ status: 'completed' });
    expect(await access(club)).toEqual(['ok', '2026-05-10T12:00:00.000Z']);
    expect((await ofEnds()).slice(-2)).toEqual([
      ['Ends soon', '2026-05-07T07:00:00.000Z', 'pending'],
      ['Come back', '2026-05-12T08:00:00.000Z', 'pending'],
    ]);
    at('2026-04-12T12:00:00Z');
    await refund(renewal);
    expect(await access(club)).toEqual(['expired', '2026-03-30T22:30:00.000Z']);
    expect((await ofEnds()).slice(-2)).toEqual([
      ['Ends soon', '2026-05-07T07:00:00.000Z', 'cancelled'],
      ['Come back', '2026-05-12T08:00:00.000Z', 'cancelled'],
    ]);
    await cron('2026-05-12T08:00:00Z');
    expect(messages()).toEqual([]);
  },
);

long('1 May: the licence has expired', async () => {
  at('2026-04-30T23:29:59Z');
  expect(await validate('one.example')).toBe('VALID');
  at('2026-04-30T23:30:00Z');
  expect(await validate('one.example')).toBe('EXPIRED');
  expect(await register('two.example')).toMatchObject({
    status: 200,
    body: { success: false, valid: false, code: 'EXPIRED' },
  });
});

long('2 May: a refund closes what was refunded, and nothing else', async () => {
  at('2026-05-02T12:00:00Z');
  await refund(orders.software);
  expect(await access(software)).toEqual(['revoked', null]);
  expect(await validate('one.example')).toBe('INACTIVE');
  expect(await lessonsOpen()).toEqual(['ok', 'ok', 'ok', 'ok']);
  await refund(orders.course);
  expect(await lessonsOpen()).toEqual(lessons.map(() => 'revoked'));
});

long(
  '30 September: a new month ends at the same time of day although the clocks are put back',
  async () => {
    at('2026-09-30T09:00:00Z');
    orders.club = await fixture().newOrder({ product_id: club, user_id: ada, status: 'completed' });
    expect(await access(club)).toEqual(['ok', '2026-10-30T10:00:00.000Z']);
    expect(await ofEnds()).toEqual([
      ['Ends soon', '2026-10-27T08:00:00.000Z', 'pending'],
      ['Come back', '2026-11-01T09:00:00.000Z', 'pending'],
    ]);
    await refund(orders.club);
    expect(await access(club)).toMatchObject(['expired', '2026-03-30T22:30:00.000Z']);
    expect((await ofEnds()).map(([, , status]) => status)).toEqual(['cancelled', 'cancelled']);
    await cron('2026-11-01T09:00:00Z');
    expect(messages()).toEqual([]);
  },
);

long('after these tests every derived figure is right', () => expectIntegrity(fixture()));
