import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Config, readConfig } from '../../../src/config.ts';
import type { Outbound } from '../../../src/kernel/events/outbound.ts';
import type {
  Attempt,
  Gateway,
  NewPayment,
  Opened,
} from '../../../src/providers/payments/gateway.ts';
import type { Callback } from '../../../src/providers/callback.ts';
import type { TestProvider } from '../provider.ts';

export const apiBase = 'https://shop.example/wp-json/svc/v1';

export const configOf = (variables: Readonly<Record<string, string>>): Config =>
  readConfig({
    DATABASE_URL: 'postgres://localhost/none',
    API_KEY_PEPPERS: '1:none',
    SESSION_KEYS: '{}',
    BASE_URL: 'https://shop.example',
    ...variables,
  });

/** A gateway and its provider's server with a shared clock, without a store. */
export class Bench {
  readonly #provider: TestProvider;
  readonly #make: (config: Config) => Gateway | undefined;
  readonly http: Outbound = (url, init) => fetch(url, init);
  now = new Date('2026-03-01T08:00:00.000Z');

  constructor(provider: TestProvider, make: (config: Config) => Gateway | undefined) {
    this.#provider = provider;
    this.#make = make;
  }

  open(): Promise<void> {
    return this.#provider.open(() => this.now);
  }

  gateway(changed: Readonly<Record<string, string>> = {}): Gateway {
    const gateway = this.#make(configOf({ ...this.#provider.variables, ...changed }));
    if (!gateway) throw new Error('It is off.');
    return gateway;
  }

  pass(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  payment(changed: Partial<NewPayment> & Pick<NewPayment, 'amount' | 'currency'>): NewPayment {
    const reference = `7-${randomUUID().replaceAll('-', '')}`;
    return {
      reference,
      order: { id: 7, number: 'INV-7', title: 'A course' },
      buyer: { name: 'Ana Putri', email: 'ana@example.com', phone: '+6281234567890' },
      opened_at: this.now.toISOString(),
      expires_at: new Date(this.now.getTime() + 3_600_000).toISOString(),
      return_url: `https://shop.example/thanks?order=7&reference=${reference}`,
      callback_url: `${apiBase}/payments/${this.#provider.id}/callback`,
      ...changed,
    };
  }

  async opened(payment: NewPayment, gateway = this.gateway()) {
    const attempt = attemptOf(payment, await gateway.open(payment, this.http, this.now));
    return {
      gateway,
      attempt,
      reference: payment.reference,
      look: () => gateway.look(attempt, this.http, this.now),
      cancel: () => gateway.cancel?.(attempt, this.http, this.now),
    };
  }

  /** Opens a payment that is paid and was looked up afterwards. */
  async paid(payment: NewPayment) {
    const opened = await this.opened(payment);
    this.#provider.pay(opened.reference);
    const { payment_ref } = await opened.look();
    const attempt = { ...opened.attempt, payment_ref };
    /** The key of a refund by a name, unique among payments. */
    const keyOf = (name: string) => `${name}-${opened.reference}`;
    return {
      ...opened,
      attempt,
      keyOf,
      refund: (name: string, amount: number) =>
        opened.gateway.refund?.(
          attempt,
          { key: keyOf(name), amount, reason: 'Damaged' },
          this.http,
          this.now,
        ),
    };
  }

  async read(gateway: Gateway, requests = this.#provider.takeCallbacks(apiBase)) {
    return Promise.all(
      requests.map(async (request) => gateway.read(await callbackOf(request), this.http, this.now)),
    );
  }
}

export const refused = (kind: string, code: string) => expect.objectContaining({ kind, code });

export const attemptOf = (
  { reference, amount, currency, expires_at }: NewPayment,
  opened?: Opened,
): Attempt => ({
  reference,
  provider_id: opened?.provider_id ?? null,
  payment_ref: null,
  amount,
  currency,
  expires_at: opened?.expires_at ?? expires_at,
  wanted: true,
});

export async function callbackOf(request: Request): Promise<Callback> {
  return {
    text: await request.text(),
    header: (name) => request.headers.get(name) ?? undefined,
  };
}
