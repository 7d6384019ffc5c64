import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Gateway, NewPayment } from '../../../src/providers/payments/gateway.ts';
import { midtrans } from '../../../src/providers/payments/midtrans.ts';
import { MidtransServer } from '../midtrans.ts';
import { gatewayOf, hinted, otherReference, payment, readBy } from './payment.ts';

let server: MidtransServer;
let gateway: Gateway;
let now: Date;

beforeEach(async () => {
  server = new MidtransServer();
  now = new Date('2026-03-01T10:00:00.500Z');
  await server.open(() => now);
  gateway = gatewayOf(midtrans, server.variables);
});
afterEach(() => server.close());

const { reference } = payment();
const open = (changed?: Partial<NewPayment>) => gateway.open(payment(changed), fetch, now);

const read = (request: Request) => readBy(gateway, request, now);

const api = 'https://api.shop.example/api';

describe('Reading a callback of Midtrans', () => {
  const post = (body: unknown) =>
    new Request(payment().callback_url, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('accepts the example of Midtrans’s documents', async () => {
    // docs.midtrans.com/reference/handle-notifications, Signature Key.
    const signed = gatewayOf(midtrans, {
      MIDTRANS_SERVER_KEY: 'askvnoibnosifnboseofinbofinfgbiufglnbfg',
    });
    const text = JSON.stringify({
      order_id: '1111',
      status_code: '200',
      gross_amount: '100000.00',
      transaction_id: '57d5293c-e65f-4a29-95e4-5959c3fa335b',
      signature_key:
        'edc076b21793ebe3e17926350f5b8ae67d902fe657b3d0aa31b932d5c127e2375d308a2bc94f3265ac2d80a1f181a79b997ac178a236fcff35af263fc4d4c231',
    });
    const callback = { text, header: () => undefined };
    expect(await signed.read(callback, fetch, now)).toEqual([
      { reference: '1111', payment_ref: '57d5293c-e65f-4a29-95e4-5959c3fa335b', says_paid: true },
    ]);
    expect(await gateway.read(callback, fetch, now)).toBe('forged');
  });

  test('accepts every notification, however often, at the address the payment named', async () => {
    await open();
    server.pay(reference);
    server.refundByHand(reference);
    const requests = server.takeCallbacks('https://elsewhere.example');
    expect(requests.map(({ url }) => url)).toEqual(
      Array.from({ length: 4 }, () => payment().callback_url),
    );
    const known = { reference, payment_ref: expect.any(String) };
    const paid = { ...known, says_paid: true };
    expect(await Promise.all(requests.map(read))).toEqual([
      [{ ...known, says_paid: false }],
      [paid],
      [paid],
      [paid],
    ]);
  });

  test('rejects forgeries', async () => {
    await open();
    server.begin(reference);
    const forgeries = server.forgeries(api, reference);
    expect(new Set(await Promise.all(forgeries.map(read)))).toEqual(new Set(['forged']));
  });

  test('lets altered notifications mark nothing as paid', async () => {
    await open();
    await open({ reference: otherReference });
    server.pay(otherReference);
    server.begin(reference);
    const altered = server.alterations(api, reference);
    expect(altered.length).toBeGreaterThan(3);
    for (const request of altered) {
      const asked = await hinted(gateway, request, now);
      expect(asked.reference).toBe(reference);
      expect(await gateway.look(asked, fetch, now)).toMatchObject({ state: 'pending', paid: null });
    }
  });

  test('matches the test of the dashboard to no payment', async () => {
    const body = {
      order_id: 'payment_notif_test_G141532850_57d5293c-e65f-4a29-95e4-5959c3fa335b',
      status_code: '200',
      gross_amount: '10000.00',
      transaction_id: '57d5293c-e65f-4a29-95e4-5959c3fa335b',
      signature_key: 'f'.repeat(128),
    };
    expect(await read(post(body))).toEqual([]);
  });

  test.each(['', 'order_id=1', '[]', 'null', '{}', '{"order_id":1}'])(
    'ignores %j',
    async (text) => {
      expect(await read(post(text))).toBe('forged');
    },
  );
});
