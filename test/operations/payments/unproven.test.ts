import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { RateLimit } from '../../../src/kernel/deployment/services.ts';
import { openDeployment } from '../../../src/services.ts';
import { baseUrl } from '../../harness/store.ts';
import { PayPalServer } from '../../providers/paypal.ts';
import { useTill } from './till.ts';

const api = `${baseUrl}/api/svc/v1`;
const opened = useTill('paypal', 'USD', 2);

const asked = () => (opened.till.provider as PayPalServer).journal.length;

async function askedDuring(action: () => Promise<unknown>): Promise<number> {
  const before = asked();
  await action();
  return asked() - before;
}

const headersAt = (time: string, changed: Record<string, string> = {}) => ({
  'paypal-auth-algo': 'SHA256withRSA',
  'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594',
  'paypal-transmission-id': '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
  'paypal-transmission-sig': 'bm9uc2Vuc2U=',
  'paypal-transmission-time': time,
  ...changed,
});

const event = (reference: string) =>
  JSON.stringify({ resource_type: 'capture', resource: { id: '1AB', custom_id: reference } });

const callback = (body: string, headers: Record<string, string>) =>
  new Request(`${api}/payments/paypal/callback`, { method: 'POST', body, headers });

const now = () => `${opened.till.store.clock.now().toISOString().slice(0, 19)}Z`;

describe('A callback that only PayPal can prove', () => {
  test('is refused without a request if it names no payment of ours', async () => {
    const texts = [event('ORDER-404'), '{}', '{"resource":7}', 'nonsense'];
    const posts = Array.from({ length: 100 }, (_, i) => texts[i % texts.length] ?? '');
    const statuses = new Set<number>();
    const questions = await askedDuring(() =>
      Promise.all(
        posts.map(async (text) =>
          statuses.add(await opened.till.post(callback(text, headersAt(now())))),
        ),
      ),
    );
    expect([...statuses]).toEqual([401]);
    expect(questions).toBe(0);
  });

  test.each([
    ['another certificate', { 'paypal-cert-url': 'https://certs.example/CERT-1' }],
    ['a certificate of a name like theirs', { 'paypal-cert-url': 'https://evil-paypal.com/c' }],
    ['a certificate without TLS', { 'paypal-cert-url': 'http://api.paypal.com/c' }],
    ['no time', { 'paypal-transmission-time': 'yesterday' }],
    ['a time long past', { 'paypal-transmission-time': '2020-01-01T00:00:00Z' }],
    ['a time to come', { 'paypal-transmission-time': '2100-01-01T00:00:00Z' }],
    ['an odd signature', { 'paypal-transmission-sig': '{}' }],
    ['an odd id', { 'paypal-transmission-id': 'a b' }],
  ])('is refused without a request with %s', async (_, changed) => {
    const { till } = opened;
    const reference = await till.opened((await till.newOrder()).id);
    const questions = await askedDuring(async () => {
      const headers = headersAt(now(), changed);
      expect(await till.post(callback(event(reference), headers))).toBe(401);
    });
    expect(questions).toBe(0);
  });

  test('is verified if it names a payment of ours, and changes nothing by itself', async () => {
    const { till } = opened;
    const reference = await till.opened((await till.newOrder()).id);
    const questions = await askedDuring(async () => {
      expect(await till.post(callback(event(reference), headersAt(now())))).toBe(401);
    });
    expect(questions).toBeGreaterThan(0);
  });

  test('finds no gateway in a store whose currency PayPal does not take, except for earlier payments', async () => {
    const { till } = opened;
    const paid = await till.newOrder();
    const reference = await till.opened(paid.id);
    till.provider.pay(reference);
    await till.fixture.set('currency', 'IDR');
    const questions = await askedDuring(async () => {
      expect(await till.post(callback(event('ORDER-404'), headersAt(now())))).toBe(404);
    });
    expect(questions).toBe(0);
    expect(
      await askedDuring(async () => expect(await till.bring()).toEqual([200])),
    ).toBeGreaterThan(0);
    await till.fixture.set('currency', 'USD');
  });

  test('is refused at once if its address failed too often', async () => {
    const { store, ...till } = { store: opened.till.store, order: opened.till.newOrder };
    const reference = await opened.till.opened((await till.order()).id);
    const gate: RateLimit & { count: number } = {
      count: 0,
      limit: async () => ({ success: ++gate.count <= 3 }),
    };
    const neon = (_: string, init?: RequestInit) => fetch(store.neon.url, init);
    const environment = {
      ...(await store.environment),
      DATABASE_ENDPOINT: { fetch: neon },
      FAILURE_RATE_LIMIT: gate,
      FAILURE_LIMIT: '3/60',
    };
    const app = createApp(await openDeployment(environment, store.clock), () => {});
    const post = async (address: string) => {
      const headers = { ...headersAt(now()), 'cf-connecting-ip': address };
      return (await app.fetch(callback(event(reference), headers), {}, store.context)).status;
    };
    for (const status of [401, 401, 401, 429]) expect(await post('203.0.113.7')).toBe(status);
    const questions = await askedDuring(async () => {
      for (let i = 0; i < 20; i++) expect(await post('203.0.113.7')).toBe(429);
    });
    expect(questions).toBe(0);
    expect(gate.count).toBe(4);
    gate.count = 0;
    expect(await post('203.0.113.8')).toBe(401);
    store.clock.advance(61);
    expect(await post('203.0.113.7')).toBe(401);
  });
});
