import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outbound } from '../../../src/kernel/events/outbound.ts';
import { duitku } from '../../../src/providers/payments/duitku.ts';
import type { Gateway } from '../../../src/providers/payments/gateway.ts';
import { DuitkuServer } from '../duitku.ts';
import {
  attempt,
  configWith,
  gatewayOf,
  hinted,
  otherReference,
  payment,
  readBy,
} from './payment.ts';

let server: DuitkuServer;
let gateway: Gateway;
let now: Date;

beforeEach(async () => {
  server = new DuitkuServer();
  now = new Date('2026-03-01T10:00:00.500Z');
  await server.open(() => now);
  gateway = gatewayOf(duitku, server.variables);
});
afterEach(() => server.close());

const { reference, callback_url } = payment();
const api = 'https://api.shop.example/api';
const open = (reference: string) => gateway.open(payment({ reference }), fetch, now);

const post = (body: string) => new Request(callback_url, { method: 'POST', body });
const postFields = (fields: Readonly<Record<string, string>>) =>
  post(new URLSearchParams(fields).toString());

describe('Signatures of Duitku', () => {
  const third = { DUITKU_MERCHANT_CODE: 'D1234', DUITKU_API_KEY: 'test-api-key-123' };
  const at = new Date(1_700_000_000_000);

  /** Returns the request that a gateway sends, which gets an error. */
  async function sent(ask: (http: Outbound) => Promise<unknown>): Promise<Request> {
    const requests: Request[] = [];
    const http = (url: string, init: RequestInit) => {
      requests.push(new Request(url, init));
      return Promise.resolve(Response.json({ Message: 'Transaction not found' }, { status: 404 }));
    };
    await ask(http).catch(() => undefined);
    return requests[0] ?? new Request(api);
  }

  // Vectors of the formulas in duitkupg/duitku-php pull request 7, computed by other tools.
  test('of a request for an invoice equal those of other implementations', async () => {
    const { headers } = await sent((http) => gatewayOf(duitku, third).open(payment(), http, at));
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-duitku-merchantcode': 'D1234',
      'x-duitku-timestamp': '1700000000000',
      'x-duitku-signature': '1880f0ce93376632283acba69b750498b07cc9616e1b74920b8de445998ad5c2',
    });
  });

  test('of a look-up equal those of other implementations', async () => {
    const asked = attempt({ reference: 'ORD-20260812-000001' });
    const request = await sent((http) => gatewayOf(duitku, third).look(asked, http, at));
    expect(await request.json()).toEqual({
      merchantCode: 'D1234',
      merchantOrderId: 'ORD-20260812-000001',
      signature: '303eb931235455e8af3ee873e3912351c7537122ef431775226413887ae5ad97',
    });
  });

  const callback = {
    merchantCode: 'D1234',
    amount: '150000',
    merchantOrderId: 'ORD-20260812-000001',
    resultCode: '00',
    signature: 'b0a4797cda909f0140e84582b0b89d7abd5a330fe63cbd98fa3df2edd1a729bf',
  };

  test('of a callback', async () => {
    const hints = [{ reference: 'ORD-20260812-000001' }];
    for (const signature of [callback.signature, callback.signature.toUpperCase()]) {
      const request = postFields({ ...callback, signature });
      expect(await readBy(gatewayOf(duitku, third), request, now)).toEqual(hints);
    }
    expect(await readBy(gateway, postFields(callback), now)).toBe('forged');
  });

  test('of the old kind are accepted if the store says so', async () => {
    // duitkupg/duitku-php, tests/params/ParamsCallback.json.
    const old = {
      merchantCode: 'D0001',
      amount: '10000',
      merchantOrderId: '12345',
      resultCode: '00',
      reference: 'D00015HL5BJKRM27MCUS',
      signature: '4104f20a70c933113c66c004fe25a9f1',
    };
    const project = {
      DUITKU_MERCHANT_CODE: 'D0001',
      DUITKU_API_KEY: '732B39FC61796845775D2C4FB05332AF',
    };
    const on = gatewayOf(duitku, { ...project, DUITKU_MD5: 'on' });
    expect(await readBy(on, postFields(old), now)).toEqual([{ reference: '12345' }]);
    expect(await readBy(gatewayOf(duitku, project), postFields(old), now)).toBe('forged');
    const altered = postFields({ ...old, amount: '10001' });
    expect(await readBy(on, altered, now)).toBe('forged');
  });

  test('of the new kind are accepted even if the store also accepts the old kind', async () => {
    const on = gatewayOf(duitku, { ...third, DUITKU_MD5: 'on' });
    expect(await readBy(on, postFields(callback), now)).toHaveLength(1);
  });
});

describe('Reading a callback of Duitku', () => {
  test('callbacks of every outcome are read, at the address the payment named', async () => {
    await open(reference);
    await open(otherReference);
    server.pay(reference);
    server.decline(otherReference);
    const requests = server.takeCallbacks();
    expect(requests.map(({ url }) => url)).toEqual([callback_url, callback_url]);
    expect(await Promise.all(requests.map((request) => readBy(gateway, request, now)))).toEqual([
      [{ reference }],
      [{ reference: otherReference }],
    ]);
  });

  test.each(['off', 'on'])('forgeries are rejected, MD5 %s', async (DUITKU_MD5) => {
    gateway = gatewayOf(duitku, { ...server.variables, DUITKU_MD5 });
    await open(reference);
    const read = server.forgeries(api, reference).map((request) => readBy(gateway, request, now));
    expect(new Set(await Promise.all(read))).toEqual(new Set(['forged']));
  });

  test.each(['hmac', 'md5'] as const)(
    'altered callbacks of the kind %s mark no payment as paid',
    async (signing) => {
      server.signing = signing;
      gateway = gatewayOf(duitku, { ...server.variables, DUITKU_MD5: 'on' });
      await open(reference);
      await open(otherReference);
      server.pay(otherReference);
      const altered = server.alterations(api, reference);
      expect(altered.length).toBeGreaterThan(2);
      for (const request of altered) {
        const asked = await hinted(gateway, request, now);
        expect(asked.reference).toBe(reference);
        expect(await gateway.look(asked, fetch, now)).toMatchObject({ state: 'open', paid: null });
      }
    },
  );

  test.each([
    '',
    '{}',
    'merchantCode=DS10001',
    'merchantCode=DS10001&amount=1&merchantOrderId=&signature=',
  ])('%j is no callback', async (text) => {
    expect(await readBy(gateway, post(text), now)).toBe('forged');
  });
});

describe('Duitku', () => {
  const of = (variables: Readonly<Record<string, string>>) => duitku(configWith(variables));

  test('is off without a project', () => {
    expect(of({})).toBeUndefined();
    expect(of({ DUITKU_MD5: 'off' })).toBeUndefined();
  });

  test.each([
    [{ DUITKU_MERCHANT_CODE: 'D1' }, 'DUITKU_API_KEY is missing'],
    [{ DUITKU_API_KEY: 'secret' }, 'DUITKU_MERCHANT_CODE is missing'],
    [{ DUITKU_MODE: 'sandbox' }, 'DUITKU_MERCHANT_CODE is missing'],
    [{ DUITKU_MD5: 'on' }, 'DUITKU_MERCHANT_CODE is missing'],
    [{ DUITKU_API_URL: 'https://api.example' }, 'DUITKU_MERCHANT_CODE is missing'],
  ])('is refused with %j alone, and shows no secret', (variables, message) => {
    expect(() => of(variables)).toThrow(message);
    expect(() => of(variables)).not.toThrow('secret');
  });

  test.each([
    [undefined, 'https://api-prod.duitku.com'],
    ['production', 'https://api-prod.duitku.com'],
    ['sandbox', 'https://api-sandbox.duitku.com'],
  ])('in the mode %s uses the address %s', async (mode, origin) => {
    const asked: string[] = [];
    const http = (url: string) => {
      asked.push(url);
      return Promise.resolve(Response.json({ Message: 'Transaction not found' }, { status: 404 }));
    };
    const project = { DUITKU_MERCHANT_CODE: 'D1', DUITKU_API_KEY: 'key' };
    const configured = gatewayOf(duitku, { ...project, ...(mode && { DUITKU_MODE: mode }) });
    await configured.look(attempt(), http, now);
    expect(asked).toEqual([`${origin}/api/merchant/transactionStatus`]);
  });

  test('takes whole rupiah from 10,000 on, for a day at most, and neither cancels nor refunds', () => {
    expect(gateway.unitOf('IDR')).toEqual({ exponent: 0, step: 1 });
    expect(gateway.unitOf('USD')).toBeUndefined();
    expect(gateway.limitsOf('IDR')).toEqual({ min: 10_000 });
    expect(gateway.life.max).toBe(86_400);
    expect(gateway).not.toHaveProperty('cancel');
    expect(gateway).not.toHaveProperty('refund');
  });
});
