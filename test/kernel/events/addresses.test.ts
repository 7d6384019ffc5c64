import { type Server, createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { refusedAddress } from '../../../src/kernel/events/safe-url.ts';
import { createDeployment } from '../../../src/kernel/deployment/services.ts';
import { domain } from '../../../src/domain/service/domain.ts';
import { runBareWorkerd } from '../../../src/local/worker/index.ts';
import { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';
import { workerSetup } from './fixtures/workerd.ts';
import { hostileUrls } from './hostile-urls.ts';
import { PostOffice } from './post-office.ts';
import { long } from '../../harness/long.ts';

/** A store whose events have no other effects. */
const none = { of: () => async () => undefined, follow: async () => {} };

const opened = useStore();
const corpus = Object.values(hostileUrls).flat();

test('the corpus of hostile addresses has at least 80', () => {
  expect(new Set(corpus).size).toBeGreaterThanOrEqual(80);
});

describe('In production', () => {
  async function production() {
    const { environment, clock, neon, context } = opened.store;
    const env = {
      ...(await environment),
      ENVIRONMENT: 'production',
      // Every webhook of these tests gets the events of all others.
      SUBREQUESTS: '10000',
      DATABASE_ENDPOINT: { fetch: (_: string, init?: RequestInit) => fetch(neon.url, init) },
    };
    const app = createApp(await createDeployment(env, clock, domain, none), () => {});
    const { token } = await opened.store.createKey();
    const send = async (request: Request) => app.fetch(request, {}, context);
    return { env, api: new ApiClient(send, { authorization: `Bearer ${token}` }) };
  }

  test.each(Object.entries(hostileUrls))('a webhook can not be sent to %s', async (_, urls) => {
    const { api } = await production();
    const { id } = (await api.post('/webhooks', { url: 'https://hooks.example.com/' })).body.data;
    for (const url of urls) {
      for (const reply of [
        await api.post('/webhooks', { url }),
        await api.patch(`/webhooks/${id}`, { url }),
      ]) {
        expect(reply, url).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
        expect(Object.keys(reply.body.data.params), url).toEqual(['url']);
      }
    }
  });

  test.each([
    'https://hooks.example.com',
    'https://hooks.example.com:443/a?b=c',
    'https://hooks.example.com:8443/a',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://localhost.example.com/',
    'https://10.0.0.1.example.com/',
    'https://internal.example.com/',
  ])('a webhook can be sent to %s', async (url) => {
    const { api } = await production();
    expect(await api.post('/webhooks', { url })).toMatchObject({ status: 201 });
  });

  test('a webhook to the sink of the service, for readers of the feed alone, is delivered without a request', async () => {
    const { api } = await production();
    const url = 'https://shop.example/api/svc-notify/v1/sink';
    const { id } = (await api.post('/webhooks', { url, events: ['product.created'] })).body.data;
    await api.post('/products', { title: 'Course', price: 100 });
    await opened.store.settled();
    const { body } = await api.get(`//api/svc-notify/v1/feed?webhook_id=${id}`);
    expect(body.data).toMatchObject([{ type: 'product-created', status: 'success', code: 200 }]);
    await api.delete(`/webhooks/${id}`);
    for (const near of [`${url}/`, `${url}?a=b`, url.replace('sink', 'feed')]) {
      expect(await api.post('/webhooks', { url: near }), near).toMatchObject({ status: 400 });
    }
  });

  test('the development switch stops the service from starting', async () => {
    const { env } = await production();
    const switched = { ...env, DEV_OUTBOUND: { fetch } };
    expect(() => readConfig(switched)).toThrow('DEV_OUTBOUND is for development only');
  });

  test('a hostile address that was written into the database is never called', async () => {
    const { env } = await production();
    const config = readConfig(env);
    expect(corpus.filter((url) => refusedAddress(url, config) === undefined)).toEqual([]);
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook('https://hooks.example.com/', { events: ['product.*'] });
    await opened.store.database.query('update webhooks set url = $2 where id = $1', [
      webhook.id,
      'https://10.0.0.1/',
    ]);
    await office.product();
    await office.store.settled();
    const { body } = await office.api.get(`/webhooks/${webhook.id}/deliveries`);
    expect(body.data).toMatchObject([
      { code: 0, error: 'The address must name a host, not an IP address.' },
    ]);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });
});

describe('In development, with its switch', () => {
  test.each(['http://127.0.0.1:9/', 'http://localhost:9/a', 'http://[::1]:9/'])(
    'a webhook can be sent to %s',
    async (url) => {
      const office = await PostOffice.open(opened.store);
      expect((await office.webhook(url, { status: 'disabled' })).id).toBeGreaterThan(0);
    },
  );

  test.each([
    'http://10.0.0.1/',
    'http://hooks.example.com/',
    'http://user@127.0.0.1/',
    'http://db/',
  ])('a webhook can not be sent to %s', async (url) => {
    const reply = await (await opened.store.key()).post('/webhooks', { url });
    expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });
});

describe('At the socket, in workerd', () => {
  let target: Server;
  let port: number;
  let connections = 0;
  let worker: Awaited<ReturnType<typeof runBareWorkerd>>;

  beforeAll(async () => {
    target = createServer((socket) => {
      connections++;
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
      );
    });
    // On every address of this machine, including IPv6.
    target.listen(0, '::');
    await once(target, 'listening');
    const address = target.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterAll(() => {
    target.close();
  });
  afterEach(() => worker.stop());

  const tried = async (url: string) =>
    (await fetch(`${worker.url}/outbound?url=${encodeURIComponent(url)}`)).text();

  /** The address itself, and both schemes for this machine. */
  function spellings(url: string): string[] {
    if (!URL.canParse(url) || !new URL(url).host) return [url];
    const there = new URL(url);
    there.port = String(port);
    return [url, there.href, there.href.replace(/^https:/, 'http:')];
  }

  long('nothing on this machine or in its networks is reached, whatever the address', async () => {
    worker = await runBareWorkerd(await workerSetup(opened.store));
    const inside = Object.entries(hostileUrls)
      .filter(([kind]) => !['this service', 'other ports', 'other schemes'].includes(kind))
      .flatMap(([, urls]) => urls)
      // Internet addresses are refused when a webhook is made, not at the socket.
      .filter((url) => !/8\.8\.8\.8|2606:4700|user.*@hooks/.test(url));
    const urls = inside.flatMap(spellings);
    const before = connections;
    const answers = await Promise.all(urls.map(tried));
    expect(urls.filter((_, i) => answers[i] !== 'refused')).toEqual([]);
    expect(connections).toBe(before);
  });

  long('this machine, and only this, is reached with the development switch', async () => {
    worker = await runBareWorkerd({ ...(await workerSetup(opened.store)), devOutbound: true });
    const before = connections;
    expect(await tried(`http://127.0.0.1:${port}/`)).toBe('answered 200');
    expect(await tried(`http://localhost:${port}/`)).toBe('answered 200');
    expect(connections).toBe(before + 2);
    expect(await tried('http://10.0.0.1/')).toBe('refused');
    expect(await tried('https://intranet/')).toBe('refused');
  });
});
