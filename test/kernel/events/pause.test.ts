import { describe, expect, test } from 'vitest';
import { useStore } from '../../harness/store.ts';
import { type Owned, PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();

const day = 86_400;
const statusOf = async ({ api }: PostOffice, { id }: Owned) =>
  (await api.get(`/webhooks/${id}`)).body.data;

/** The products whose events a path received with success. */
const productsTold = (path: string, succeeded: ReadonlySet<unknown>) =>
  receiver
    .at(path)
    .filter((item) => succeeded.has(item))
    .map(({ json }) => json.object_id);

describe('A webhook whose receiver answers 410', () => {
  test('is paused at once, and another webhook is told of it', async () => {
    const office = await PostOffice.open(opened.store);
    const watcher = await office.webhook(receiver.url('/watcher'), { events: ['webhook.paused'] });
    const gone = await office.webhook(receiver.url('/gone'), { events: ['product.*'] });
    receiver.answer = ({ path }) => ({ status: path === '/gone' ? 410 : 200 });
    await office.product();
    await office.store.settled();
    await office.product();
    await office.sweepAfter(60);
    expect(receiver.at('/gone')).toHaveLength(1);
    expect(await statusOf(office, gone)).toMatchObject({ status: 'paused', paused_reason: 'gone' });
    expect(receiver.at('/watcher').map(({ json }) => json)).toMatchObject([
      { type: 'webhook-paused', object_id: gone.id, data: { id: gone.id, paused_reason: 'gone' } },
    ]);
    await office.api.delete(`/webhooks/${watcher.id}`);
    await office.api.delete(`/webhooks/${gone.id}`);
  });
});

describe('A webhook that fails for five days', () => {
  test.each([
    ['set active', (path: string) => ['PATCH', path, { status: 'active' }] as const],
    ['replayed', (path: string, from: string) => ['POST', `${path}/replay`, { from }] as const],
  ] as const)('is paused, keeps its events and continues when %s', async (how, resume) => {
    const office = await PostOffice.open(opened.store);
    const path = `/five-days-${how.replace(' ', '-')}`;
    const webhook = await office.webhook(receiver.url(path), { events: ['product.created'] });
    const watcher = await office.webhook(receiver.url(`${path}/watcher`), {
      events: ['webhook.*'],
    });
    const succeeded = new Set<unknown>();
    let down = false;
    receiver.answer = (delivery) => {
      if (down && delivery.path === path) return { status: 500 };
      succeeded.add(delivery);
      return {};
    };
    const products = [await office.product('before')];
    await office.store.settled();
    const lastSuccess = opened.store.clock.now().toISOString();
    const from = new Date(opened.store.clock.now().getTime() + 1000).toISOString();

    down = true;
    opened.store.clock.advance(3600);
    const failingSince = opened.store.clock.now();
    for (let hours = 0; hours < 5 * 24; hours += 3) {
      if (hours % 12 === 0) products.push(await office.product(`at ${hours} hours`));
      await office.store.settled();
      await office.sweepAfter(3 * 3600);
      const { status } = await statusOf(office, webhook);
      const days = (opened.store.clock.now().getTime() - failingSince.getTime()) / 1000 / day;
      expect(status, `after ${days} days`).toBe(days < 5 ? 'active' : 'paused');
    }
    expect(await statusOf(office, webhook)).toMatchObject({
      paused_reason: 'failing',
      last_success_at: lastSuccess,
    });
    await office.sweepAfter(60);
    expect(receiver.at(`${path}/watcher`)).toHaveLength(1);

    down = false;
    const tried = receiver.at(path).length;
    products.push(await office.product('while paused'));
    await office.store.settled();
    await office.sweepAfter(10 * day);
    expect(receiver.at(path)).toHaveLength(tried);

    const [method, address, body] = resume(`/webhooks/${webhook.id}`, from);
    const resumed = await office.api.request(method, address, { body });
    expect(resumed).toMatchObject({ status: 200, trips: 2 });
    await office.store.settled();
    await office.sweepAfter(0);
    expect(new Set(productsTold(path, succeeded))).toEqual(new Set(products));
    expect(await statusOf(office, webhook)).toMatchObject({
      status: 'active',
      paused_reason: null,
      failing_since: null,
    });
    await office.api.delete(`/webhooks/${webhook.id}`);
    await office.api.delete(`/webhooks/${watcher.id}`);
  });
});

describe('A webhook that its owner pauses', () => {
  test('keeps its events, and the other webhooks are notified', async () => {
    const office = await PostOffice.open(opened.store);
    const watcher = await office.webhook(receiver.url('/owner'), { events: ['webhook.paused'] });
    const paused = await office.webhook(receiver.url('/kept'), { events: ['product.created'] });
    receiver.answer = () => ({});
    const path = `/webhooks/${paused.id}`;
    expect((await office.api.patch(path, { status: 'paused' })).body.data).toMatchObject({
      paused_reason: 'manual',
    });
    const products = [await office.product(), await office.product()];
    await office.store.settled();
    expect(receiver.at('/kept')).toEqual([]);
    expect(receiver.at('/owner')).toHaveLength(1);
    await office.api.patch(path, { status: 'active' });
    await office.store.settled();
    // Waiting events are sent in parallel.
    const ids = receiver.at('/kept').map(({ json }) => json.object_id);
    expect(new Set(ids)).toEqual(new Set(products));
    await office.api.delete(path);
    await office.api.delete(`/webhooks/${watcher.id}`);
  });

  test('is not replayed or resumed once it is disabled', async () => {
    const office = await PostOffice.open(opened.store);
    const { id } = await office.webhook(receiver.url('/disabled'), { status: 'disabled' });
    const from = '2026-01-01T00:00:00Z';
    const reply = await office.api.post(`/webhooks/${id}/replay`, { from });
    expect(reply).toMatchObject({ status: 409, body: { code: 'webhook_not_active' } });
  });
});

describe('A replay', () => {
  test('sends the events since the requested moment again, even those that were delivered', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/replay'), { events: ['product.created'] });
    receiver.answer = () => ({});
    const early = await office.product();
    opened.store.clock.advance(60);
    const late = [await office.product(), await office.product()];
    await office.store.settled();
    const from = opened.store.clock.now().toISOString();
    const reply = await office.api.post(`/webhooks/${webhook.id}/replay`, { from });
    expect(reply.body.data).toEqual({ webhook_id: webhook.id, replayed: 2, next_from: null });
    await office.store.settled();
    // Events that are due at once arrive in any order.
    const told = receiver.at('/replay').map(({ json }) => json.object_id as number);
    const twice = late.flatMap((id) => [id, id]);
    expect(told.toSorted((one, other) => one - other)).toEqual([early, ...twice]);
    const feed = await office.feed(webhook);
    expect(feed.body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5]);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('of too many events says where the next replay begins', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook('https://hooks.example.com/', { status: 'paused' });
    await opened.store.database.query(
      `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
       select $1, gen_random_uuid(), 'ping', 1, '{}', at, at
         from generate_series(timestamptz '2026-01-01', '2026-01-01 02:46:41', '1 s') at`,
      [webhook.id],
    );
    await office.api.patch(`/webhooks/${webhook.id}`, { url: receiver.url('/many') });
    receiver.answer = () => ({ status: 500 });
    const reply = await office.api.post(`/webhooks/${webhook.id}/replay`, {
      from: '2026-01-01T00:00:00Z',
    });
    expect(reply.body.data).toMatchObject({
      replayed: 10_000,
      next_from: '2026-01-01T02:46:40.000Z',
    });
    await office.store.settled();
    await office.api.delete(`/webhooks/${webhook.id}`);
  });
});

describe('A requested delivery is sent at once, even to a failing webhook', () => {
  const asked: [what: string, ask: (office: PostOffice, path: string, from: string) => unknown][] =
    [
      ['a test', ({ api }, path) => api.post(`${path}/test`)],
      ['a delivery sent again', ({ api }, path) => api.post(`${path}/deliveries/1/resend`)],
      ['a replay', ({ api }, path, from) => api.post(`${path}/replay`, { from })],
    ];

  test.each(asked)('%s', async (what, ask) => {
    const office = await PostOffice.open(opened.store);
    const address = `/asked-${what.replaceAll(' ', '-')}`;
    const webhook = await office.webhook(receiver.url(address), { events: ['product.created'] });
    const from = opened.store.clock.now().toISOString();
    receiver.answer = () => ({ status: 500 });
    const first = await office.product();
    await office.store.settled();
    opened.store.clock.advance(1);
    await office.product('waits as long as the first one fails');
    await office.store.settled();
    expect(receiver.at(address)).toHaveLength(1);

    receiver.answer = () => ({});
    opened.store.clock.advance(1);
    await ask(office, `/webhooks/${webhook.id}`, from);
    await office.store.settled();
    const told = receiver.at(address).map(({ json }) => [json.event, json.object_id]);
    // The two products of a replay are due at once, and arrive in any order.
    expect(told.slice(1, what === 'a replay' ? 3 : 2)).toContainEqual(
      what === 'a test' ? ['ping', webhook.id] : ['product.created', first],
    );
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('and nothing else while the webhook keeps failing', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/only'), { events: ['product.created'] });
    receiver.answer = () => ({ status: 500 });
    await office.product();
    await office.store.settled();
    for (let i = 0; i < 3; i++) {
      opened.store.clock.advance(1);
      await office.product('waits');
    }
    opened.store.clock.advance(1);
    await office.api.post(`/webhooks/${webhook.id}/test`);
    await office.store.settled();
    expect(receiver.at('/only').map(({ json }) => json.event)).toEqual(['product.created', 'ping']);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });
});
