import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { servicesOf } from '../../src/kernel/deployment/services.ts';
import { sendDue } from '../../src/processes/messages/sending.ts';
import { queueDue } from '../../src/processes/reminders/sending.ts';
import { UnitOfWork } from '../../src/kernel/database/unit-of-work.ts';
import { claimMessages } from '../../src/queries/message-claims.ts';
import type { MessageMedium } from '../../src/schema/lists.ts';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { silence } from '../harness/silence.ts';
import { usePost } from '../operations/messages/post.ts';
import { behindLock, times, transaction, untilWaiting } from './queue.ts';

// Cloudflare knows no keys, so a message that is sent twice arrives twice.
const opened = usePost(['cloudflare']);
let user_id: number;

beforeAll(async () => {
  const { post } = opened;
  await silence(post.store);
  user_id = (await post.newBuyer()).id;
});

beforeEach(async () => {
  await opened.post.store.settled();
  await opened.post.store.database.query('delete from messages; delete from message_senders');
});

afterAll(() => expectIntegrity(opened.post));

const lockSenders = `insert into message_senders (medium, next_at) values ('email', '2026-01-01')
  on conflict (medium) do update set next_at = message_senders.next_at`;

/**
 * Due messages of a user.
 * @returns their ids
 */
async function queued(count: number, fields: { kind?: string; medium?: MessageMedium } = {}) {
  const { store } = opened.post;
  const { rows } = await store.database.query<{ id: string }>(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     select $1, $2, $3, 'queued', $4, $4, $4 from generate_series(1, $5) returning id`,
    [fields.kind ?? 'welcome', fields.medium ?? 'email', user_id, store.clock.now(), count],
  );
  return rows.map(({ id }) => Number(id));
}

const noticed = (count: number) =>
  opened.post.store.database.query(
    `insert into messages (kind, medium, status, due_at, created_at, updated_at)
     select 'new-order', 'email', 'queued', $1, $1, $1 from generate_series(1, $2)`,
    [opened.post.store.clock.now(), count],
  );

async function statuses(ids: readonly number[]) {
  const { rows } = await opened.post.store.database.query<{ status: string; attempts: number }>(
    'select status, attempts from messages where id = any($1) order by id',
    [ids],
  );
  return rows;
}

const arrived = () => opened.post.sender().sent().length;

describe('However many workers send at once,', () => {
  test('each message is sent once', async () => {
    const { post } = opened;
    const ids = await queued(20);
    const before = arrived();
    const services = await post.store.services();
    await behindLock(
      post.store,
      lockSenders,
      times(6, () => sendDue('email', servicesOf(services))),
    );
    expect(arrived()).toBe(before + 20);
    expect(await statuses(ids)).toEqual(ids.map(() => ({ status: 'sent', attempts: 1 })));
  });

  test('control: reading the queue before sending sends a message more than once', async () => {
    const { post } = opened;
    const [id = 0] = await queued(1);
    const before = arrived();
    const { variables } = post.sender();
    const { send } = variables['EMAIL'] as { send: (email: object) => Promise<unknown> };
    const broken = transaction(post.store, async (client) => {
      const waiting = `select from messages where id = ${id} and status = 'queued'`;
      if ((await client.query(waiting)).rowCount !== 1) return false;
      await send({
        from: { email: 'hello@shop.example', name: 'Shop' },
        to: 'a@people.example',
        subject: 'Welcome',
        text: 'Welcome.',
      });
      await client.query(`update messages set status = 'sent' where id = ${id}`);
      return true;
    });
    await behindLock(post.store, 'lock table messages in exclusive mode', times(3, broken));
    expect(arrived()).toBeGreaterThan(before + 1);
  });

  test('at most 20 notices of a kind are sent to the seller within an hour', async () => {
    const { post } = opened;
    await post.fixture.api.patch('/message-templates/seller-summary/email', { active: true });
    const before = arrived();
    await noticed(40);
    const services = await post.store.services();
    await behindLock(
      post.store,
      lockSenders,
      times(6, async () => {
        await sendDue('email', servicesOf(services));
        await noticed(5);
        await sendDue('email', servicesOf(services));
      }),
    );
    expect(arrived()).toBe(before + 20);
  });

  test('control: counting the notices of the hour before sending one sends too many', async () => {
    const { store } = opened.post;
    await noticed(25);
    const sent = `select from messages where kind = 'new-order' and status = 'sent'`;
    await store.database.query(
      `update messages set status = 'sent' where id in (select id from messages limit 19)`,
    );
    const broken = transaction(store, async (client) => {
      if (((await client.query(sent)).rowCount ?? 0) >= 20) return false;
      await client.query(
        `update messages set status = 'sent' where id =
           (select id from messages where status = 'queued' limit 1 for update skip locked)`,
      );
      return true;
    });
    await behindLock(store, 'lock table messages in exclusive mode', times(3, broken));
    expect((await store.database.query(sent)).rowCount).toBeGreaterThan(20);
    await store.database.query('delete from messages');
  });

  test('each due reminder becomes one message', async () => {
    const { post } = opened;
    const { id: product_id } = await post.fixture.newProduct();
    const order = await post.fixture.newOrder({ product_id, user_id });
    const words = { order_id: order.id, title: 'A word', content: 'Please pay.' };
    for (let n = 0; n < 5; n++) await post.fixture.api.post('/reminders', words);
    const services = await post.store.services();
    await behindLock(
      post.store,
      'lock table messages in exclusive mode',
      times(4, () => queueDue(servicesOf(services))),
    );
    const { rows } = await post.store.database.query(
      `select reminder_id, count(*) from messages group by 1 having count(*) > 1`,
    );
    expect(rows).toEqual([]);
    expect(await post.log()).toHaveLength(5);
    await post.later(0);
    expect(await post.log('status=sent')).toHaveLength(5);
  });
});

describe('The pace of a sender holds', () => {
  /**
   * Claims messages.
   * @returns the seconds until each may be sent, in order
   */
  async function claim(rate: number, most = 5): Promise<number[]> {
    const { store } = opened.post;
    const { connection } = await store.services();
    const statement = claimMessages(
      'email',
      crypto.randomUUID(),
      { most, rate },
      store.clock.now(),
    );
    const claimed = await new UnitOfWork(connection, undefined).write([], statement);
    return claimed.map(({ wait }) => wait);
  }

  test('though many claim at once: at two a second, messages are half a second apart and claimed at most five seconds ahead', async () => {
    await queued(40);
    const claims = await behindLock(
      opened.post.store,
      lockSenders,
      times(6, () => claim(2)),
    );
    const waits = claims.flat().toSorted((a, b) => a - b);
    expect(waits).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
    // The next one is allowed after half a second.
    expect(await claim(2)).toEqual([]);
    opened.post.store.clock.advance(1);
    expect(await claim(2)).toEqual([4.5, 5]);
  });

  test('control: counting from the present each time sends several at once', async () => {
    const { store } = opened.post;
    await queued(10);
    const broken = transaction(store, async (client) => {
      const { rows } = await client.query(
        `select id from messages where status = 'queued' limit 5`,
      );
      slots.push(...rows.map((_, place) => place / 2));
      return false;
    });
    const slots: number[] = [];
    await behindLock(store, 'lock table messages in access exclusive mode', times(3, broken));
    expect(new Set(slots).size).toBeLessThan(slots.length);
  });

  test('after a time without messages, and starts again from then', async () => {
    await queued(5);
    expect(await claim(0.5)).toEqual([0, 2, 4]);
    opened.post.store.clock.advance(30);
    expect(await claim(0.5)).toEqual([0, 2]);
  });
});

describe('A message that is cancelled while somebody sends it', () => {
  const held = (isThere: (text: string) => boolean) =>
    opened.post.store.neon.faults.next({
      match: ({ statements, parameters }) =>
        [...statements, ...parameters].some((text) => isThere(text ?? '')),
      hold: true,
    });

  /** The only call of several functions in one statement. */
  const isLoad = (text: string) => text.startsWith('select 0, * from svc_trip_');

  const isBegin = (text: string) => text.includes('recipient = g.recipient');

  /** Cancels a message that was seen as queued and is claimed before the write, once its sender reaches a statement. */
  async function cancelledAt(isThere: (text: string) => boolean, isWaiting: boolean) {
    const { post } = opened;
    const [id = 0] = await queued(1);
    const before = arrived();
    const looked = held((text) => text.includes('from "messages" where "messages"."id" = '));
    const cancelling = post.fixture.api.post(`/messages/${id}/cancel`);
    await looked.reached;
    const sender = held(isThere);
    const sending = sendDue('email', await post.store.services());
    await sender.reached;
    looked.release();
    await (isWaiting ? untilWaiting(post.store, 1) : cancelling);
    sender.release();
    const { status, body } = await cancelling;
    await sending;
    const [after] = await statuses([id]);
    return { answer: status, code: body.code, after: after?.status, arrived: arrived() - before };
  }

  test('is not sent if its attempt has not begun', async () => {
    expect(await cancelledAt(isLoad, false)).toEqual({
      answer: 200,
      code: undefined,
      after: 'cancelled',
      arrived: 0,
    });
  });

  test('is sent if its attempt begins at the same moment, and the cancellation is refused', async () => {
    const outcome = await cancelledAt(isBegin, true);
    expect(outcome).toMatchObject({ answer: 409, after: 'sent', arrived: 1 });
    expect(['message_sending', 'message_not_queued']).toContain(outcome.code);
  });

  test('control: checking that it is queued before cancelling cancels a message that was sent', async () => {
    const { post } = opened;
    const [id = 0] = await queued(1);
    const before = arrived();
    const broken = transaction(post.store, async (client) => {
      await client.query(`select status from messages where id = ${id}`);
      await post.later(0);
      await client.query(`update messages set status = 'cancelled' where id = ${id}`);
      return true;
    });
    await broken();
    expect(arrived()).toBe(before + 1);
    expect(await statuses([id])).toMatchObject([{ status: 'cancelled' }]);
  });
});

test('resent several times at once under one key, a message is resent once', async () => {
  const { post } = opened;
  const [id = 0] = await queued(1);
  await post.later(0);
  const before = arrived();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const replies = await Promise.all(
    times(4, () => post.fixture.api.post(`/messages/${id}/resend`, undefined, { headers })).map(
      (resend) => resend(),
    ),
  );
  await post.store.settled();
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
  expect(arrived()).toBe(before + 1);
});

long(
  'Of 20 tests at once with 3 left in the hour, exactly 3 are sent, including resent ones',
  async () => {
    const { post } = opened;
    const { api } = post.fixture;
    const words = { recipient: 'me@people.example' };
    const tried = () => api.post('/message-templates/welcome/email/test', words);
    const first = await tried();
    await post.store.settled();
    const again = () => api.post(`/messages/${first.body.data.id}/resend`);
    for (let sent = 1; sent < 27; sent++) expect((await tried()).status).toBe(201);
    await post.store.settled();
    const replies = await behindLock(
      post.store,
      "select pg_advisory_xact_lock(hashtext('messages.tests'))",
      [...times(10, tried), ...times(10, again)],
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = replies.filter(({ body }) => body.code === 'message_test_limit');
    expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 17 }, () => 409));
    post.store.clock.advance(3600);
    expect((await tried()).status).toBe(201);
  },
);
