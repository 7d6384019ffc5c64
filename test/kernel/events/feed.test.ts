import { describe, expect, test } from 'vitest';
import { useStore } from '../../harness/store.ts';
import { type Owned, PostOffice } from './post-office.ts';

const opened = useStore();

const hook = 'https://hooks.example.com/';

/** Writes finished attempts into a webhook's log, as the service does. */
async function logged({ id }: Owned, attempts: readonly ('success' | 'failed')[]): Promise<void> {
  const { database, clock } = opened.store;
  const token = crypto.randomUUID();
  const { rows } = await database.query<{ id: string }>(
    `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at, lease_token)
     select $1, gen_random_uuid(), 'order.status-updated', n, '{"id": 1}', $2, $2, $3
       from generate_series(1, $4::int) n returning id`,
    [id, clock.now(), token, attempts.length],
  );
  const results = rows.map((row, i) => ({
    id: Number(row.id),
    status: attempts[i],
    code: attempts[i] === 'success' ? 200 : 500,
    milliseconds: 1,
    answer: '',
  }));
  await database.query('select svc_record_deliveries($1, $2, $3)', [
    token,
    JSON.stringify(results),
    clock.now(),
  ]);
}

const ids = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);

describe('The feed', () => {
  test("continues from the reader's position, and from the end of the log if there are no more entries", async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(hook);
    expect((await office.feed(webhook)).body).toEqual({ success: true, data: [], next_since: 0 });
    await logged(webhook, ['success', 'failed', 'success', 'failed', 'failed']);
    const first = await office.feed(webhook, { limit: 1 });
    expect([ids(first), first.body.next_since]).toEqual([[1], 1]);
    const second = await office.feed(webhook, { since_id: 1, limit: 1 });
    expect([ids(second), second.body.next_since]).toEqual([[3], 3]);
    // A failure after the last success is not read again.
    const third = await office.feed(webhook, { since_id: 3, limit: 1 });
    expect([ids(third), third.body.next_since]).toEqual([[], 5]);
    await logged(webhook, ['success']);
    expect(ids(await office.feed(webhook, { since_id: 5 }))).toEqual([6]);
  });

  test('refuses a position beyond the counter of the webhook, in one trip, even where no entry is kept', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(hook);
    const beyond = (since_id: number) => office.feed(webhook, { since_id, status: '' });
    const refused = (last: number) => ({
      status: 400,
      trips: 1,
      body: {
        code: 'rest_invalid_param',
        data: { params: { since_id: `must be at most ${last}, the last entry of this webhook` } },
      },
    });
    expect(await beyond(1)).toMatchObject(refused(0));
    await logged(webhook, ['success', 'failed', 'success']);
    expect(await beyond(4)).toMatchObject(refused(3));
    expect(await beyond(999_999_999_999_999)).toMatchObject(refused(3));
    await opened.store.database.query('delete from webhook_log where webhook_id = $1', [
      webhook.id,
    ]);
    expect(await beyond(3)).toMatchObject({ status: 200, body: { data: [], next_since: 3 } });
    expect(await beyond(4)).toMatchObject(refused(3));
  });

  test('shows successes by default, failures on request, and all for an empty status', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(hook);
    await logged(webhook, ['success', 'failed', 'success']);
    expect(ids(await office.feed(webhook))).toEqual([1, 3]);
    expect(ids(await office.feed(webhook, { status: 'success' }))).toEqual([1, 3]);
    expect(ids(await office.feed(webhook, { status: 'failed' }))).toEqual([2]);
    const all = await office.feed(webhook, { status: '' });
    expect(all.body.data).toMatchObject([
      { id: 1, status: 'success', code: 200, type: 'order-status-updated' },
      { id: 2, status: 'failed', code: 500, at: '2026-03-10 09:00:00' },
      { id: 3, data: { event: 'order.status-updated', object_id: 3, data: { id: 1 } } },
    ]);
    expect(await office.feed(webhook, { status: 'lost' })).toMatchObject({ status: 400 });
  });

  test.each([
    [{}, 100],
    [{ limit: 2 }, 2],
    [{ limit: 0 }, 1],
    [{ limit: -7 }, 1],
    [{ limit: 250 }, 250],
    [{ limit: 1000 }, 250],
  ])('answers %j with %i entries', async (query, length) => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(hook);
    await logged(
      webhook,
      Array.from({ length: 300 }, () => 'success' as const),
    );
    const page = await office.feed(webhook, query);
    expect(page.body.data).toHaveLength(length);
    expect(page.body.next_since).toBe(length);
  });

  test('without a webhook_id answers exactly what the contract says', async () => {
    const api = await opened.store.key('orders:read');
    for (const search of ['', '?webhook_id=', '?since_id=3']) {
      const reply = await api.get(`//api/svc-notify/v1/feed${search}`);
      expect(reply).toMatchObject({ status: 400, trips: 1 });
      expect(reply.body).toEqual({
        success: false,
        message: 'missing webhook_id',
        code: 'rest_missing_callback_param',
        data: { status: 400 },
      });
    }
  });

  test.each(['webhook_id=abc', 'webhook_id=0', 'webhook_id=1&since_id=-1', 'webhook_id=1&limit=x'])(
    'refuses %s',
    async (search) => {
      const api = await opened.store.key('orders:read');
      const reply = await api.get(`//api/svc-notify/v1/feed?${search}`);
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    },
  );

  test('requires orders:read, and answers 404 for an unknown webhook', async () => {
    const path = '//api/svc-notify/v1/feed?webhook_id=999';
    expect(await (await opened.store.key('orders:read')).get(path)).toMatchObject({ status: 404 });
    expect(await (await opened.store.key('webhooks:read')).get(path)).toMatchObject({
      status: 403,
    });
    expect(await opened.store.client().get(path)).toMatchObject({ status: 401 });
  });

  test('keeps the logs of webhooks apart, each counted from 1', async () => {
    const office = await PostOffice.open(opened.store);
    const [one, other] = [await office.webhook(hook), await office.webhook(hook)];
    await logged(one, ['success', 'success']);
    await logged(other, ['success']);
    expect(ids(await office.feed(one))).toEqual([1, 2]);
    expect(ids(await office.feed(other))).toEqual([1]);
  });
});

describe('The sink', () => {
  const path = '//api/svc-notify/v1/sink';

  test.each([{}, { id: 1, ok: false }, { deep: { er: [1, 2, null] } }])(
    'accepts %j from anybody, without querying the database',
    async (body) => {
      const reply = await opened.store.client().post(path, body);
      expect(reply).toMatchObject({ status: 200, trips: 0 });
      expect(reply.body).toEqual({ ok: true });
    },
  );

  test.each(['not json', '[1]', '"text"', 'null', '{'])('refuses %s', async (body) => {
    const reply = await opened.store.client().post(path, body);
    expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  test('accepts 64 KiB and no more', async () => {
    const body = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect(await opened.store.client().post(path, body(65_536))).toMatchObject({ status: 200 });
    expect(await opened.store.client().post(path, body(65_537))).toMatchObject({ status: 413 });
  });
});
