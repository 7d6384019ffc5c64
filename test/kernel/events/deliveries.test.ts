import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStoreFixture();
const receiver = useReceiver();

const office = () => PostOffice.open(opened.fixture.store);

/**
 * A webhook with deliveries about two new products (the second one failed), and a failed one about a changed product.
 */
async function withHistory(path: string) {
  const post = await office();
  const webhook = await post.webhook(receiver.url(path), { events: ['product.*'] });
  const said = [200, 500, 404];
  receiver.answer = (delivery) =>
    delivery.path === path ? { status: said.shift() ?? 503, body: 'said' } : {};
  const id = await post.product('First');
  await post.store.settled();
  opened.fixture.store.clock.advance(3600);
  await post.product('Second');
  await post.store.settled();
  opened.fixture.store.clock.advance(3600);
  await post.api.patch(`/products/${id}`, { title: 'Changed' });
  await post.sweepAfter(3600);
  return { post, webhook, list: `/webhooks/${webhook.id}/deliveries` };
}

describe('The deliveries of a webhook', () => {
  test('are found by event, by answer and by time', async () => {
    const { post, list } = await withHistory('/filters');
    const found = async (query: string) => {
      const { status, trips, body } = await post.api.get(`${list}?${query}`);
      expect({ status, trips }).toEqual({ status: 200, trips: 1 });
      expect(body.meta.pagination.total).toBe(body.data.length);
      return body.data.map(({ id }: { id: number }) => id);
    };
    const all = await post.api.get(list);
    expect(all.body.data).toMatchObject([
      { id: 3, code: 404, event: 'product.created' },
      { id: 2, code: 500, event: 'product.created' },
      { id: 1, code: 200, event: 'product.created' },
    ]);
    const [, second, first] = all.body.data;
    expect(await found('event=product.created')).toEqual([3, 2, 1]);
    expect(await found('event=product.deleted')).toEqual([]);
    expect(await found('code=500')).toEqual([2]);
    expect(await found('code=2xx')).toEqual([1]);
    expect(await found('code=4xx&event=product.created')).toEqual([3]);
    expect(await found('status=success&code=5xx')).toEqual([]);
    expect(await found(`date_start=${second.at}`)).toEqual([3, 2]);
    expect(await found(`date_end=${first.at}`)).toEqual([1]);
    expect(await found(`date_start=${second.at}&date_end=${second.at}&code=5xx`)).toEqual([2]);
    for (const query of ['event=order.*', 'event=nothing', 'code=6xx', 'code=abc', 'code=2000']) {
      const reply = await post.api.get(`${list}?${query}`);
      expect(reply, query).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
  });

  long("are paged within the webhook's own log when they are filtered by time", async () => {
    await withHistory('/beside');
    const { list, post } = await withHistory('/paged');
    const seen = [];
    let cursor = '';
    do {
      const query = `per_page=1&date_start=2000-01-01&sort=id${cursor && `&cursor=${cursor}`}`;
      const { body } = await post.api.get(`${list}?${query}`);
      seen.push(...body.data.map(({ id }: { id: number }) => id));
      cursor = body.meta.next_cursor ?? '';
    } while (cursor);
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('A delivery', () => {
  test('shows the sent body and headers as they were signed, and every attempt', async () => {
    const { post, webhook, list } = await withHistory('/whole');
    const reply = await post.api.get(`${list}/3`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    const { headers, body, attempts, ...delivery } = reply.body.data;
    expect(delivery).toMatchObject({ id: 3, attempt: 2, answer: 'said', delivered_at: null });
    expect(Date.parse(delivery.next_attempt_at)).toBeGreaterThan(Date.parse(delivery.at));
    expect(attempts.map(({ id }: { id: number }) => id)).toEqual([3, 2]);

    const received = receiver.at('/whole')[2];
    expect(body).toBe(received?.body);
    for (const [name, value] of Object.entries(headers)) {
      expect(received?.headers[name], name).toBe(value);
    }
    const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', key).update(content).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(JSON.stringify(reply.body)).not.toContain(webhook.secret);
  });

  test('is shown without its event to a key that may not read the event', async () => {
    const { list } = await withHistory('/redacted');
    const api = await opened.fixture.store.key('webhooks:read');
    const { body } = await api.get(`${list}/2`);
    expect(body.data).toMatchObject({ body: '', answer: '', redacted: true, code: 500 });
    expect(body.data.attempts.map(({ answer }: { answer: string }) => answer)).toEqual(['', '']);
  });

  test('that was never sent has no signature, and says when it is due', async () => {
    const post = await office();
    const webhook = await post.webhook('http://127.0.0.1:1/', { events: ['ping'] });
    await post.api.post(`/webhooks/${webhook.id}/test`);
    await post.store.settled();
    const { body } = await post.api.get(`/webhooks/${webhook.id}/deliveries/1`);
    expect(body.data).toMatchObject({ code: 0, error: 'The receiver could not be reached.' });
    expect(body.data.headers).toHaveProperty('webhook-signature');
    await opened.fixture.store.database.query('update webhooks set url = $1 where id = $2', [
      'http://10.0.0.1/',
      webhook.id,
    ]);
    await post.api.post(`/webhooks/${webhook.id}/test`);
    await post.store.settled();
    const refused = await post.api.get(`/webhooks/${webhook.id}/deliveries/2`);
    expect(refused.body.data.error).toMatch(/^The address /);
    expect(refused.body.data.headers).not.toHaveProperty('webhook-signature');
  });

  test('of another webhook, or none, is not found', async () => {
    const { post, list } = await withHistory('/unknown');
    const other = await post.webhook(receiver.url('/other'), { events: ['ping'] });
    for (const path of [
      `${list}/9`,
      `/webhooks/${other.id}/deliveries/1`,
      '/webhooks/999/deliveries/1',
    ]) {
      expect(await post.api.get(path), path).toMatchObject({ status: 404 });
    }
  });

  test('that somebody sends again goes out at once, however long its webhook has been failing', async () => {
    const { post, webhook, list } = await withHistory('/again');
    const before = receiver.at('/again').length;
    receiver.answer = () => ({ status: 500 });
    await post.api.post(`${list}/2/resend`);
    await post.store.settled();
    expect(receiver.at('/again')).toHaveLength(before + 1);
    receiver.answer = () => ({ status: 200 });
    await post.api.post(`${list}/2/resend`);
    await post.store.settled();
    expect(receiver.at('/again')).toHaveLength(before + 2);
    const { body } = await post.api.get(`/webhooks/${webhook.id}`);
    expect(body.data).toMatchObject({
      failing_since: null,
      last_attempt: { status: 'success', code: 200, error: null },
    });
  });
});

describe('The figures of a webhook', () => {
  long('count its attempts by day in the zone of the store, and its waiting events', async () => {
    const { fixture } = opened;
    fixture.store.clock.set('2026-04-10T18:00:00Z');
    await fixture.set('timezone', 'Asia/Jakarta');
    const { post, webhook } = await withHistory('/figures');
    fixture.store.clock.advance(86_400);
    const reply = await post.api.get(`/webhooks/${webhook.id}/figures?days=3`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    const { timezone, days } = reply.body.data;
    expect(timezone).toBe('Asia/Jakarta');
    expect(days).toEqual([
      { date: '2026-04-10', delivered: 0, failed: 0, pending: 0 },
      { date: '2026-04-11', delivered: 1, failed: 2, pending: 2 },
      { date: '2026-04-12', delivered: 0, failed: 0, pending: 0 },
    ]);
    const month = await post.api.get(`/webhooks/${webhook.id}/figures`);
    expect(month.body.data.days).toHaveLength(30);
    await expectIntegrity(fixture);
  });
});

test('a replay counts the same number of events beforehand as it sends', async () => {
  const { post, webhook } = await withHistory('/counted');
  const first = (await post.api.get(`/webhooks/${webhook.id}/deliveries/1`)).body.data;
  const from = new Date(Date.parse(first.at) + 1).toISOString();
  const sent = receiver.at('/counted').length;
  const counted = await post.api.get(`/webhooks/${webhook.id}/replay?from=${from}`);
  expect(counted).toMatchObject({ status: 200, trips: 1, body: { data: { replayed: 2 } } });
  await post.store.settled();
  expect(receiver.at('/counted')).toHaveLength(sent);
  const replay = await post.api.post(`/webhooks/${webhook.id}/replay`, { from });
  expect(replay.body.data).toEqual(counted.body.data);
});
