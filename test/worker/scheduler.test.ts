import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSecret } from '../../src/kernel/events/signing.ts';
import { type RunningWorker, runWorker } from '../../src/local/worker/index.ts';
import { builtWorker } from '../harness/built-worker.ts';
import { ApiClient } from '../harness/client.ts';
import { silence } from '../harness/silence.ts';
import { type Store, openStore } from '../harness/store.ts';
import { Receiver } from '../kernel/events/receiver.ts';

let store: Store;
let worker: RunningWorker;
let api: ApiClient;
let order: number;
const provider = new Receiver();
const logged: string[] = [];

beforeAll(async () => {
  store = await openStore();
  await silence(store);
  await provider.open();
  worker = await runWorker({
    script: await builtWorker(),
    bindings: {
      ...(await store.environment),
      REMINDER_URL: provider.url('/mail'),
      REMINDER_SECRET: newSecret(),
    },
    neonUrl: store.neon.url,
    devOutbound: true,
    scheduler: true,
    log: (line) => logged.push(line),
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  });
  // workerd uses the machine's clock.
  store.clock.set(new Date().toISOString());
  const { token } = await store.createKey();
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(worker.url + pathname + search, request));
  };
  api = new ApiClient(send, { authorization: `Bearer ${token}` });
  const made = async (path: string, body: object): Promise<number> =>
    (await api.post(path, body)).body.data.id;
  const user_id = await made('/users', { email: 'buyer@mail.example' });
  order = await made('/orders', {
    product_id: await made('/products', { title: 'A', price: 100 }),
    user_id,
  });
});

afterAll(async () => {
  await worker.dispose();
  await provider.close();
  await store.close();
});

/** Resolves with the next message that the provider gets. */
const nextMessage = () => {
  const { promise, resolve: got } = Promise.withResolvers<string>();
  provider.answer = ({ json }) => {
    got(json.title);
    return {};
  };
  return promise;
};

const remind = (title: string, scheduled_at?: string) =>
  api.post('/reminders', {
    order_id: order,
    title,
    content: 'Thank you.',
    ...(scheduled_at && { scheduled_at }),
  });

test('the cron has the Durable Object do the due work at once, and an idle run costs one trip', async () => {
  const message = nextMessage();
  expect((await remind('At once')).status).toBe(201);
  expect(provider.received).toEqual([]);
  expect(logged.join('\n')).toContain('reminders.create');
  expect(logged.join('\n')).not.toContain('SchedulerUnreachable');
  expect(await worker.scheduled('0 * * * *')).toBe('ok');
  expect(provider.received).toHaveLength(1);
  expect(await message).toBe('At once');
  const { total } = store.neon.trips;
  expect(await worker.scheduled('0 * * * *')).toBe('ok');
  expect(store.neon.trips.total).toBe(total + 1);
});

test('the alarm of the Durable Object rings when work is due, and the work is done', async () => {
  const message = nextMessage();
  await remind('Later', new Date(Date.now() + 2000).toISOString());
  // Asks for the next due work; the alarm of the write is a minute away.
  expect(await worker.scheduled('0 * * * *')).toBe('ok');
  expect(await message).toBe('Later');
});
