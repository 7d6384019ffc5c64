import { beforeAll, beforeEach, afterAll, expect, test } from 'vitest';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { claimMessages } from '../../../src/queries/message-claims.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { silence } from '../../harness/silence.ts';
import type { Asked } from '../../providers/provider.ts';
import { refusedDomain } from '../../providers/messages/resend.ts';
import { usePost } from './post.ts';

const opened = usePost(['resend']);
let user_id: number;
let refused_id: number;
let earlier: { arrived: number; calls: number };

beforeAll(() => silence(opened.post.store));

beforeEach(async () => {
  const { post } = opened;
  user_id = (await post.newBuyer()).id;
  refused_id = (await post.newBuyer()).id;
  await post.store.settled();
  const { database } = post.store;
  await database.query('delete from messages; delete from message_senders');
  await database.query(`update users set email = 'a' || id || '@${refusedDomain}' where id = $1`, [
    refused_id,
  ]);
  earlier = { arrived: post.sender().sent().length, calls: post.sender().journal.length };
});

afterAll(() => expectIntegrity(opened.post));

/**
 * Queues messages to a buyer.
 * @returns their ids
 */
async function queue(count: number, to = user_id): Promise<number[]> {
  const { rows } = await opened.post.store.database.query<{ id: string }>(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     select 'welcome', 'email', $1, 'queued', $2, $2, $2 from generate_series(1, $3) returning id`,
    [to, opened.post.store.clock.now(), count],
  );
  return rows.map(({ id }) => Number(id));
}

const arrived = () => opened.post.sender().sent().length - earlier.arrived;
const calls = () => (opened.post.sender().journal as readonly Asked[]).slice(earlier.calls);
const paths = () => calls().map(({ path }) => path);
const keys = () => calls().map(({ headers }) => headers['idempotency-key']);

async function states(): Promise<Record<string, number>> {
  const { rows } = await opened.post.store.database.query<{ state: string; total: number }>(
    `select concat_ws(' ', status, attempts, last_error) as state, count(*)::int as total
       from messages group by 1`,
  );
  return Object.fromEntries(rows.map(({ state, total }) => [state, total]));
}

test('250 waiting e-mails are sent once each, by three calls, and keep their ids', async () => {
  await queue(250);
  await opened.post.later(0);
  expect(paths()).toEqual(['/emails/batch', '/emails/batch', '/emails/batch']);
  expect(new Set(keys()).size).toBe(3);
  expect([arrived(), await states()]).toEqual([250, { 'sent 1': 250 }]);
  const { rows } = await opened.post.store.database.query<{ provider_id: string }>(
    'select distinct provider_id from messages where provider_id is not null',
  );
  const ids = opened.post.sender().sent().slice(earlier.arrived);
  expect(rows.map((row) => row.provider_id).toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
});

test('A few e-mails are sent by one call each', async () => {
  await queue(5);
  await opened.post.later(0);
  expect(paths()).toEqual(Array.from({ length: 5 }, () => '/emails'));
});

test('One refused e-mail fails alone: the others of its batch are sent once', async () => {
  await queue(10);
  await queue(1, refused_id);
  await queue(10);
  for (const pause of [0, 60, 60]) await opened.post.later(pause);
  expect([arrived(), await states()]).toEqual([
    20,
    { 'sent 1': 20, 'failed 1 validation_error': 1 },
  ]);
});

long.each([0, 37, 99])(
  'A batch of 100 is halved until the refused e-mail, the %ith, is found by 15 calls',
  async (before) => {
    await queue(before);
    await queue(1, refused_id);
    await queue(99 - before);
    for (const pause of [0, 60, 60, 60]) await opened.post.later(pause);
    expect([arrived(), await states()]).toEqual([
      99,
      { 'sent 1': 99, 'failed 1 validation_error': 1 },
    ]);
    expect(calls().length).toBeLessThanOrEqual(15);
    expect(new Set(keys()).size).toBe(calls().length);
  },
);

test('Several refused e-mails of a batch fail, and no other', async () => {
  for (let n = 0; n < 3; n++) {
    await queue(15);
    await queue(1, refused_id);
  }
  for (const pause of [0, 60, 60, 60, 60]) await opened.post.later(pause);
  expect([arrived(), await states()]).toEqual([
    45,
    { 'sent 1': 45, 'failed 1 validation_error': 3 },
  ]);
});

test('A half batch without an answer is repeated whole under its own key', async () => {
  await queue(10);
  await queue(1, refused_id);
  await queue(20);
  const sender = opened.post.sender();
  sender.refuse('permanent');
  sender.fail('lost');
  for (const pause of [0, 60, 60, 60, 300]) await opened.post.later(pause);
  expect(arrived()).toBe(30);
  const { rows } = await opened.post.store.database.query(
    `select status, count(*)::int as total from messages group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { status: 'failed', total: 1 },
    { status: 'sent', total: 30 },
  ]);
});

test('A batch whose answer was lost is repeated whole under its key', async () => {
  await queue(20);
  opened.post.sender().fail('lost');
  await opened.post.later(0);
  expect(await states()).toEqual({ 'queued 1 no_answer': 20 });
  await queue(20);
  await opened.post.later(60);
  const [first, second, third] = keys();
  expect([second === first || third === first, keys().length]).toEqual([true, 3]);
  expect([arrived(), await states()]).toEqual([40, { 'sent 2': 20, 'sent 1': 20 }]);
});

test.each([
  ['lost', 20],
  ['dropped', 19],
] as const)(
  'A batch whose answer was %s is sent once though one of its messages was cancelled since',
  async (fault, count) => {
    const [first = 0] = await queue(20);
    opened.post.sender().fail(fault);
    await opened.post.later(0);
    expect((await opened.post.fixture.api.post(`/messages/${first}/cancel`)).status).toBe(200);
    await opened.post.later(60);
    expect([arrived(), await states()]).toEqual([
      count,
      { 'sent 2': 19, 'cancelled 1 no_answer': 1 },
    ]);
  },
);

test('A batch with one e-mail left is repeated under the key of the batch, not that of the e-mail', async () => {
  const ids = await queue(7);
  opened.post.sender().fail('lost');
  await opened.post.later(0);
  for (const id of ids.slice(1)) await opened.post.fixture.api.post(`/messages/${id}/cancel`);
  await opened.post.later(60);
  expect([arrived(), new Set(keys()).size]).toEqual([7, 1]);
});

test('A batch with a refused e-mail and no answer is divided when it is repeated', async () => {
  await queue(10);
  await queue(1, refused_id);
  opened.post.sender().fail('dropped');
  await opened.post.later(0);
  await opened.post.later(60);
  await opened.post.later(60);
  expect([arrived(), await states()]).toEqual([
    10,
    { 'sent 2': 10, 'failed 2 validation_error': 1 },
  ]);
});

test('A batch that may have been accepted stays whole while the account is refused', async () => {
  await queue(20);
  opened.post.sender().fail('lost');
  await opened.post.later(0);
  opened.post.sender().refuse('setup');
  await opened.post.later(60);
  await opened.post.later(60);
  await opened.post.later(300);
  await opened.post.later(300);
  expect(new Set(keys()).size).toBe(1);
  expect([arrived(), await states()]).toEqual([20, { 'sent 3': 20 }]);
});

test('A blocked account uses up one try of the e-mails of a batch at most', async () => {
  await queue(20);
  for (let refused = 0; refused < 12; refused++) opened.post.sender().refuse('setup');
  await opened.post.later(0);
  for (let pause = 0; pause < 8; pause++) await opened.post.later(300);
  expect(arrived()).toBe(20);
  const { rows } = await opened.post.store.database.query(
    `select id from messages where status <> 'sent' or attempts > 2`,
  );
  expect(rows).toEqual([]);
});

test('A batch is claimed whole, however few messages the claim asks for', async () => {
  const { post } = opened;
  await queue(20);
  post.sender().fail('lost');
  await post.later(0);
  post.store.clock.advance(60);
  const { connection } = await post.store.services();
  const pace = { most: 1, together: 3, rate: 1000 };
  const claim = () =>
    new UnitOfWork(connection, undefined).write(
      [],
      claimMessages('email', crypto.randomUUID(), pace, post.store.clock.now()),
    );
  const claimed = await claim();
  expect(claimed).toHaveLength(20);
  expect(new Set(claimed.map(({ call, batch }) => `${call} ${batch}`))).toEqual(
    new Set([`0 ${keys()[0]}`]),
  );
  expect(await claim()).toEqual([]);
  post.store.clock.advance(60);
  await post.later(0);
  expect([arrived(), await states()]).toEqual([20, { 'sent 2': 20 }]);
});

test('An e-mail that is erased during the sending of its batch does not stop the others from being recorded', async () => {
  const { post } = opened;
  const [first = 0] = await queue(20);
  const release = post.sender().hold();
  const sending = post.later(0);
  while (calls().length === 0) await new Promise(setImmediate);
  await post.store.database.query(
    `update messages set status = 'cancelled', lease_token = null where id = $1`,
    [first],
  );
  release();
  await sending;
  expect(await states()).toEqual({ 'sent 1': 19, 'cancelled 1': 1 });
  await post.later(120);
  expect([arrived(), calls().length]).toEqual([20, 1]);
});

test('A batch leaves out suppressed addresses', async () => {
  const { post } = opened;
  const other = await post.newBuyer();
  await post.store.settled();
  await queue(6);
  await queue(1, other.id);
  await post.store.database.query(
    `insert into message_suppressions (medium, address, reason, created_at)
     values ('email', $1, 'bounced', now())`,
    [other.email],
  );
  await post.store.database.query(`delete from messages where kind <> 'welcome'`);
  await post.later(0);
  expect((await states())['suppressed 0 suppressed']).toBe(1);
  expect(
    post
      .sender()
      .sent()
      .slice(earlier.arrived)
      .map(({ to }) => to),
  ).not.toContain(other.email);
});
