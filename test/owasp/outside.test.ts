import { createHmac } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useReceiver } from '../kernel/events/receiver.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { provedElsewhere } from './elsewhere.ts';

const opened = useStoreFixture();
/** A payment provider with planned answers. */
const provider = useReceiver();
const secret = 'whsec_test_secret';
let product: number;

beforeAll(async () => {
  const { fixture } = opened;
  Object.assign(await fixture.store.environment, {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: provider.url(''),
  });
  ({ id: product } = await fixture.newProduct({ price: 10_000 }));
});

beforeEach(() => {
  provider.answer = () => ({ status: 500 });
});

describe('API7:2023 Server side request forgery', () => {
  provedElsewhere({
    'kernel/events/addresses.test.ts': [
      'a webhook can not be sent to %s',
      'a hostile address that was written into the database is never called',
      'nothing on this machine or in its networks is reached, whatever the address',
    ],
    'kernel/events/webhooks.test.ts': [
      'show the answer of the receiver, 2 kB at most, and can be sent again',
    ],
  });

  async function filesWith(pattern: RegExp): Promise<string[]> {
    const src = join(import.meta.dirname, '../../src');
    const names = await readdir(src, { recursive: true });
    const files = names.filter((name) => name.endsWith('.ts') && !/^(cli|local)\//.test(name));
    const texts = await Promise.all(files.map((name) => readFile(join(src, name), 'utf8')));
    return files.filter((_, i) => pattern.test(texts[i] ?? '')).sort();
  }

  test('three senders make requests to other servers, and only two of them to an address of a caller', async () => {
    // The other sender uses addresses of the configuration.
    expect(await filesWith(/await (outbound|http)\(/)).toEqual([
      'actions/confirmations/foreign-picture.ts',
      'kernel/events/send.ts',
      'providers/http.ts',
    ]);
    expect(await filesWith(/(?<![.\w])fetch\(url/)).toEqual(['kernel/events/outbound.ts']);
  });

  test('none of them lets the platform follow a redirect', async () => {
    const senders = await filesWith(/await (outbound|http)\(/);
    expect(await filesWith(/redirect: 'manual'/)).toEqual(senders);
  });
});

describe('API10:2023 Unsafe consumption of APIs', () => {
  provedElsewhere({
    'operations/payments/providers.test.ts': [
      'is paid once, however often its callback comes',
      'is not paid by a forged callback',
      'waits for a person if another amount was paid',
    ],
    'contract/input.test.ts': [
      'a body of the largest size is accepted, and a larger one is refused even in chunks',
    ],
  });

  const newOrder = () =>
    opened.fixture.newOrder({ product_id: product, payment_gateway: 'stripe' });
  const open = (id: number) => opened.fixture.api.get(`/orders/${id}/payment-gateway`);

  let sessions = 0;
  const session = () => ({
    id: `cs_${++sessions}`,
    url: `https://pay.example/${sessions}`,
    expires_at: opened.fixture.store.clock.now().getTime() / 1000 + 1800,
  });

  /** An order with an open payment at the provider, and the payment's session. */
  async function paying() {
    const own = session();
    provider.answer = () => ({ body: JSON.stringify(own) });
    const order = await newOrder();
    expect((await open(order.id)).status).toBe(200);
    return { order, session: own.id };
  }

  let events = 0;
  const paid = (session: unknown, object: object = {}) => ({
    id: `evt_${++events}`,
    type: 'checkout.session.completed',
    data: {
      object: {
        id: session,
        amount_total: 10_000,
        currency: 'usd',
        payment_status: 'paid',
        ...object,
      },
    },
  });

  const signature = (text: string, time: number) =>
    createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  const seconds = () => Math.floor(opened.fixture.store.clock.now().getTime() / 1000);
  const post = (text: string, header = `t=${seconds()},v1=${signature(text, seconds())}`) =>
    opened.fixture.store
      .client({ 'stripe-signature': header })
      .post('/payments/stripe/callback', text);

  describe("the provider's events", () => {
    const wrong: Record<string, (session: string) => unknown> = {
      'without anything': () => ({}),
      'without data': (id) => ({ ...paid(id), data: undefined }),
      'with data that is a text': (id) => ({ ...paid(id), data: 'data' }),
      'with an id that is a number': (id) => ({ ...paid(id), id: 1 }),
      'with an id that is a list': (id) => ({ ...paid(id), id: ['evt_1'] }),
      'with an object that is a list': (id) => ({ ...paid(id), data: { object: [{ id }] } }),
      'with a session that is an object': () => paid({ $ne: null }),
      'with a session that is SQL': () => paid("cs_1' or '1'='1"),
      'with NUL in the session': (id) => paid(`${id}\0`),
      'with NUL in their id': (id) => ({ ...paid(id), id: 'evt\0' }),
      'with half a character in the session': (id) => paid(`${id}\uD800`),
      'with half a character in their id': (id) => ({ ...paid(id), id: 'evt\uD800' }),
      'with an amount in text': (id) => paid(id, { amount_total: '10000' }),
      'with a fraction': (id) => paid(id, { amount_total: 10_000.5 }),
      'with an amount beyond numbers': (id) => paid(id, { amount_total: 1e300 }),
      'with a currency that is a list': (id) => paid(id, { currency: ['usd'] }),
      'that were not paid': (id) => paid(id, { payment_status: 'unpaid' }),
      'of another type': (id) => ({ ...paid(id), type: 'checkout.session.created' }),
      'of a type that every object has': (id) => ({ ...paid(id), type: 'constructor' }),
      'with a prototype': (id) => JSON.parse(`{"__proto__": ${JSON.stringify(paid(id))}}`),
      'of a long name': (id) => ({ ...paid(id), id: 'e'.repeat(100_000) }),
    };

    // The provider's look-up doesn't say that it was paid.
    test.each(Object.entries(wrong))('%s pay nothing and cause no error', async (_, event) => {
      const { order, session: id } = await paying();
      const reply = await post(JSON.stringify(event(id)));
      expect([200, 401]).toContain(reply.status);
      expect((await opened.fixture.order(order.id)).status).toBe('on-hold');
    });

    test('are verified by a request to the provider', async () => {
      const { order, session: id } = await paying();
      const asked = provider.received.length;
      expect((await post(JSON.stringify(paid(id)))).status).toBe(200);
      expect(provider.received.slice(asked).map(({ path }) => path)).toEqual([
        expect.stringContaining(`/v1/checkout/sessions/${id}`),
      ]);
      expect((await opened.fixture.order(order.id)).status).toBe('on-hold');
    });

    test('are accepted with one of several signatures, but not with a similar one', async () => {
      const { session: id } = await paying();
      const text = JSON.stringify(paid(id));
      const asked = provider.received.length;
      const time = seconds();
      const good = signature(text, time);
      const lookalikes = [
        ...['', 't=', `t=${time}`, `v1=${good}`, `t=${time},v1=`, `t=${time},v0=${good}`],
        ...[`t=${time},v1=${good.slice(0, -1)}`, `t=${time},v1=${good}0`],
        ...[`t=${time},v1=${good.toUpperCase()}`, `t=${time} ,v1=${good}`],
        ...[`t=${time + 1},v1=${good}`, `t=-${time},v1=${good}`, `t=${time}.0,v1=${good}`],
        ...[`t=1e9,v1=${good}`, `t=NaN,v1=${good}`, `t=${'9'.repeat(400)},v1=${good}`],
        ...[`t=${time + 301},v1=${signature(text, time + 301)}`],
      ];
      for (const header of lookalikes) expect((await post(text, header)).status, header).toBe(401);
      expect((await post(`${text} `, `t=${time},v1=${good}`)).status).toBe(401);
      expect(provider.received).toHaveLength(asked);
      const several = `t=${time},v1=${'0'.repeat(64)},v1=${good}`;
      expect((await post(text, several)).status).toBe(200);
      expect(provider.received).toHaveLength(asked + 1);
    });

    test('are accepted only from a configured provider', async () => {
      for (const name of ['paypal', 'constructor', '__proto__', 'Stripe', 'manual', '%00']) {
        const reply = await opened.fixture.store.client().post(`/payments/${name}/callback`, {});
        expect([400, 404], name).toContain(reply.status);
      }
    });
  });

  describe("the provider's answers", () => {
    const answers: Record<string, () => object> = {
      'is no JSON': () => ({ body: '<html>Welcome</html>' }),
      'is nothing': () => ({ body: '' }),
      'is null': () => ({ body: 'null' }),
      'has no id': () => ({ body: JSON.stringify({ ...session(), id: undefined }) }),
      'has an empty id': () => ({ body: JSON.stringify({ ...session(), id: '' }) }),
      'has NUL in its id': () => ({ body: JSON.stringify({ ...session(), id: 'cs\0' }) }),
      'has half a character': () => ({ body: JSON.stringify({ ...session(), id: 'cs\uD800' }) }),
      'has no end': () => ({ body: JSON.stringify({ ...session(), expires_at: null }) }),
      'ends beyond all time': () => ({ body: JSON.stringify({ ...session(), expires_at: 9e15 }) }),
      'has a script for an address': () => ({
        body: JSON.stringify({ ...session(), url: 'javascript:alert(document.cookie)' }),
      }),
      'has data for an address': () => ({
        body: JSON.stringify({ ...session(), url: 'data:text/html,<script>alert(1)</script>' }),
      }),
      'has an address that is not encrypted': () => ({
        body: JSON.stringify({ ...session(), url: 'http://pay.example/1' }),
      }),
      'leads elsewhere': () => ({
        status: 302,
        headers: { location: provider.url('/elsewhere') },
        body: JSON.stringify(session()),
      }),
    };

    test.each(Object.entries(answers))('of the kind %s open no payment', async (_, answer) => {
      const { id } = await newOrder();
      const said = answer();
      provider.answer = ({ path }) =>
        path === '/elsewhere' ? { body: JSON.stringify(session()) } : said;
      const reply = await open(id);
      expect(reply).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
      expect(provider.at('/elsewhere')).toEqual([]);
      const own = session();
      provider.answer = () => ({ body: JSON.stringify(own) });
      expect(await open(id)).toMatchObject({ status: 200, body: { data: { reused: false } } });
    });
  });
});
