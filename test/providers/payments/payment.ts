import { type Config, readConfig } from '../../../src/config.ts';
import type {
  Attempt,
  Gateway,
  Hint,
  NewPayment,
} from '../../../src/providers/payments/gateway.ts';

/** A payment of 350,000 rupiah, opened for two hours. */
export const payment = (changed: Partial<NewPayment> = {}): NewPayment => ({
  reference: '12-0b7c1e9e4f5a4d0e9b3f7b6a5c4d3e2f',
  order: { id: 12, number: 'S-12', title: 'Kursus Menulis' },
  amount: 350_000,
  currency: 'IDR',
  buyer: { name: 'Budi Susanto', email: 'budi@example.com', phone: '+6281234567890' },
  opened_at: '2026-03-01T10:00:00.500Z',
  expires_at: '2026-03-01T12:00:00.500Z',
  return_url: 'https://shop.example/thanks?payment=12',
  callback_url: 'https://api.shop.example/api/payments/here/callback',
  ...changed,
});

/** The payment as input of a look-up. */
export const attempt = (changed: Partial<Attempt> = {}): Attempt => ({
  reference: payment().reference,
  provider_id: null,
  payment_ref: null,
  amount: 350_000,
  currency: 'IDR',
  expires_at: '2026-03-01T12:00:00.000Z',
  wanted: true,
  ...changed,
});

export const otherReference = '13-9a1d2c3b4e5f4a6b8c7d9e0f1a2b3c4d';

const base = {
  DATABASE_URL: 'postgresql://nobody@localhost/none',
  API_KEY_PEPPERS: '1:none',
  SESSION_KEYS: '{}',
  BASE_URL: 'https://api.shop.example',
};

export const configWith = (variables: Readonly<Record<string, string>>): Config =>
  readConfig({ ...base, ...variables });

export function gatewayOf(
  make: (config: Config) => Gateway | undefined,
  variables: Readonly<Record<string, string>>,
): Gateway {
  const gateway = make(configWith(variables));
  if (!gateway) throw new Error('It is off.');
  return gateway;
}

export const readBy = async (
  gateway: Gateway,
  request: Request,
  now: Date,
): Promise<'forged' | readonly Hint[]> => {
  const { headers } = request;
  const header = (name: string) => headers.get(name) ?? undefined;
  return gateway.read({ text: await request.text(), header }, fetch, now);
};

/** Returns the only payment in a callback, as input of a look-up. */
export async function hinted(gateway: Gateway, request: Request, now: Date): Promise<Attempt> {
  const hints = await readBy(gateway, request, now);
  if (hints === 'forged' || hints.length !== 1) throw new Error('It is about no payment.');
  return attempt(hints[0]);
}
