import { beforeEach, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let api: ApiClient;

beforeEach(async () => {
  api = await opened.fixture.store.key('status:read');
});

async function figure(name: string) {
  const { status, body, trips } = await api.get('/status');
  expect([status, trips]).toEqual([200, 1]);
  return { ...body.data.figures[name], in_order: body.data.in_order };
}

const query = (text: string, ...values: unknown[]) =>
  opened.fixture.store.database.query(text, values);

const ago = (minutes: number) =>
  new Date(opened.fixture.store.clock.now().getTime() - minutes * 60_000).toISOString();

test('A store without waiting work is in order, and names its version', async () => {
  const { body } = await api.get('/status');
  expect(body.data).toMatchObject({ version: '0.1.0', commit: null, in_order: true });
  expect(body.data.figures.undelivered_event_age).toEqual({
    value: null,
    threshold: 3600,
    passed: false,
  });
  expect(body.data.figures.database_size.value).toBeGreaterThan(1_000_000);
});

test('GET /status requires the scope status:read, and nothing else', async () => {
  const other = await opened.fixture.store.key('orders:read');
  expect((await other.get('/status')).status).toBe(403);
});

test('An event that an active webhook waits for passes its threshold after an hour, one of a paused webhook never', async () => {
  const { fixture } = opened;
  const hook = { name: 'Books', url: 'https://books.example/hook', events: ['*'] };
  const { id } = (await fixture.api.post('/webhooks', hook)).body.data;
  const wait = (minutes: number) =>
    query(
      `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
       values ($1, gen_random_uuid(), 'order.created', 1, '{}', $2, $2)`,
      ...[id, ago(minutes)],
    );
  await wait(59);
  expect(await figure('undelivered_event_age')).toMatchObject({ value: 3540, passed: false });
  await wait(60);
  expect(await figure('undelivered_event_age')).toMatchObject({
    value: 3600,
    passed: true,
    in_order: false,
  });
  await query(`update webhooks set status = 'paused', paused_reason = 'failing' where id = $1`, id);
  expect(await figure('undelivered_event_age')).toMatchObject({ value: null });
  expect(await figure('failing_webhooks')).toMatchObject({ value: 1, passed: true });
  await query(`update webhooks set paused_reason = 'manual' where id = $1`, id);
  expect(await figure('failing_webhooks')).toMatchObject({ value: 0, in_order: true });
  await query('delete from outbox');
});

test('A message that was due more than a quarter of an hour ago is stuck', async () => {
  await query(
    `insert into messages (key, kind, medium, recipient, status, due_at, created_at, updated_at)
     values (gen_random_uuid(), 'test', 'email', 'a@x.example', 'queued', $1, $1, $1)`,
    ago(15),
  );
  expect(await figure('stuck_messages')).toMatchObject({ value: 0, passed: false });
  await query(`update messages set due_at = $1`, ago(16));
  expect(await figure('stuck_messages')).toMatchObject({ value: 1, passed: true });
  await query('delete from messages');
});

test('A backup is out of order when it is eight days old', async () => {
  await query(`insert into store_mark (store_id, backed_up_at) values ('id', $1)`, ago(60));
  expect(await figure('backup_age')).toMatchObject({ value: 3600, passed: false });
  await query('update store_mark set backed_up_at = $1', ago(8 * 24 * 60));
  expect(await figure('backup_age')).toMatchObject({ passed: true, in_order: false });
});
