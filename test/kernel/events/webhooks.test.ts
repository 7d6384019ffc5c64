import { describe, expect, test } from 'vitest';
import { useStore } from '../../harness/store.ts';
import { PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();
const url = 'https://hooks.example.com/sales';

describe('A webhook', () => {
  test('is created from an address alone: for all events, active, with a secret that is shown once', async () => {
    const api = await opened.store.key();
    const made = await api.post('/webhooks', { url: 'https://HOOKS.example.com/sales#part' });
    expect(made).toMatchObject({ status: 201, trips: 2 });
    const { secret, ...webhook } = made.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      url,
      name: '',
      events: ['*'],
      status: 'active',
      version: 1,
      paused_reason: null,
      last_success_at: null,
      failing_since: null,
    });
    const read = await api.get(`/webhooks/${webhook.id}`);
    expect(read).toMatchObject({ status: 200, trips: 1 });
    expect(read.body.data).toEqual(webhook);
    const list = await api.get('/webhooks');
    expect(list.body.data).toContainEqual(webhook);
    expect(JSON.stringify([read.body, list.body])).not.toContain('whsec_');
  });

  test('is updated in part, only in the version that was read, and never shows its secret', async () => {
    const office = await PostOffice.open(opened.store);
    const { id } = await office.webhook(url, { events: ['order.*'] });
    const path = `/webhooks/${id}`;
    const headers = { 'if-match': '1' };
    const changed = await office.api.patch(
      path,
      { events: ['*', '*'], name: 'Books' },
      { headers },
    );
    expect(changed.body.data).toMatchObject({ events: ['*'], name: 'Books', url, version: 2 });
    expect(JSON.stringify(changed.body)).not.toContain('whsec_');
    expect(await office.api.patch(path, { name: 'Late' }, { headers })).toMatchObject({
      status: 409,
    });
  });

  test.each([
    { events: [] },
    { events: ['order.unknown'] },
    { events: ['ord*'] },
    { events: ['user.*', ''] },
    { status: 'gone' },
    { url: 'http://hooks.example.com/' },
    { url: 'not a url' },
  ])('is refused with %j', async (wrong) => {
    const api = await opened.store.key();
    const reply = await api.post('/webhooks', { url, ...wrong });
    expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(reply.body.data.params)[0]).toContain(Object.keys(wrong)[0]);
  });

  test('is refused with a message that names the mistake, wherever it was found', async () => {
    const api = await opened.store.key();
    for (const wrong of ['not a url', 'https://localhost/']) {
      const { body } = await api.post('/webhooks', { url: wrong });
      expect(body).toMatchObject({
        message: 'Invalid parameter(s): url.',
        data: { params: { url: expect.any(String) } },
      });
    }
  });

  test('that is deleted disappears with its log at once, and is removed from the database later', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/deleted'));
    await office.product();
    await office.store.settled();
    expect((await office.feed(webhook)).body.data).toHaveLength(1);
    const removed = await office.api.delete(`/webhooks/${webhook.id}`);
    expect(removed.body.data).toEqual({ id: webhook.id, deleted: true });
    expect(await office.api.get(`/webhooks/${webhook.id}`)).toMatchObject({ status: 404 });
    expect(await office.feed(webhook)).toMatchObject({ status: 404 });
    const { rows } = await opened.store.database.query(
      'select secret from webhooks where id = $1',
      [webhook.id],
    );
    expect(rows).toEqual([{ secret: '' }]);
  });
});

describe('A test of a webhook', () => {
  test('sends a ping to this webhook alone, whatever it is subscribed to', async () => {
    const office = await PostOffice.open(opened.store);
    const other = await office.webhook(receiver.url('/other'));
    const webhook = await office.webhook(receiver.url('/ping'), { events: ['user.deleted'] });
    const tested = await office.api.post(`/webhooks/${webhook.id}/test`);
    expect(tested).toMatchObject({ status: 200, trips: 2 });
    await office.store.settled();
    const [ping] = receiver.at('/ping');
    expect(ping?.json).toMatchObject({
      id: tested.body.data.event_id,
      type: 'ping',
      event: 'ping',
      data: { id: webhook.id },
    });
    expect(receiver.at('/other')).toEqual([]);
    await office.api.delete(`/webhooks/${other.id}`);
  });

  test('is refused for a webhook that is not active', async () => {
    const office = await PostOffice.open(opened.store);
    const { id } = await office.webhook(url, { status: 'paused' });
    const reply = await office.api.post(`/webhooks/${id}/test`);
    expect(reply).toMatchObject({ status: 409, body: { code: 'webhook_not_active' } });
  });
});

describe('The deliveries of a webhook', () => {
  test('show the answer of the receiver, 2 kB at most, and can be sent again', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/chatty'), { events: ['product.*'] });
    const body = `\0${'é'.repeat(3000)}`;
    receiver.answer = () => ({ status: 202, body });
    await office.product();
    await office.store.settled();
    receiver.answer = () => ({});
    const list = await office.api.get(`/webhooks/${webhook.id}/deliveries`);
    expect(list).toMatchObject({ status: 200, trips: 1 });
    const [delivery] = list.body.data;
    expect(delivery).toMatchObject({
      id: 1,
      code: 202,
      status: 'success',
      attempt: 1,
      error: null,
    });
    expect(delivery.answer).toMatch(/^é{1023}.?$/);

    const again = await office.api.post(`/webhooks/${webhook.id}/deliveries/1/resend`);
    expect(again.body.data).toEqual({ webhook_id: webhook.id, event_id: delivery.event_id });
    await office.store.settled();
    const [first, second] = receiver.at('/chatty');
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const both = await office.api.get(`/webhooks/${webhook.id}/deliveries?status=success`);
    expect(both.body.data).toMatchObject([{ id: 2 }, { id: 1 }]);
    expect(both.body.meta.pagination).toMatchObject({ total: 2 });
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('of an unknown webhook, and an unknown delivery, are not found', async () => {
    const office = await PostOffice.open(opened.store);
    const { id } = await office.webhook(url);
    expect(await office.api.get('/webhooks/999/deliveries')).toMatchObject({ status: 404 });
    const resent = await office.api.post(`/webhooks/${id}/deliveries/7/resend`);
    expect(resent).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
  });
});

test.each([
  ['webhooks:read', 'POST', '/webhooks'],
  ['webhooks:write', 'DELETE', '/webhooks/1'],
  ['webhooks:write', 'GET', '/webhooks/1/deliveries'],
  ['webhooks:read', 'POST', '/webhooks/1/rotate'],
] as const)('a key of scope %s may not %s %s', async (scope, method, path) => {
  const api = await opened.store.key(scope);
  const reply = await api.request(method, path, method === 'POST' ? { body: { url } } : {});
  expect(reply).toMatchObject({ status: 403, body: { message: 'Insufficient scope.' } });
});
