import { afterEach, beforeEach } from 'vitest';
import { readConfig } from '../../../../src/config.ts';
import { addSeconds } from '../../../../src/lib/instant.ts';
import type { Attempt, Gateway, NewPayment } from '../../../../src/providers/payments/gateway.ts';
import { stripe } from '../../../../src/providers/payments/stripe.ts';
import { StripeServer } from '../../stripe.ts';

/** The base of the API, below which Stripe's callbacks arrive. */
export const base = 'https://shop.example/api';

export const http = (url: string, init: RequestInit) => fetch(url, init);

/** A Stripe that always gives this answer. */
export const answering = (body: unknown) => async () => Response.json(body);

export const refusal = (kind: string, code: string) => ({ name: 'ProviderError', kind, code });

export const configOf = (variables: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgres://db.example/store',
    API_KEY_PEPPERS: '1:pepper',
    SESSION_KEYS: '{}',
    BASE_URL: 'https://shop.example',
    ...variables,
  });

export function configured(variables: Record<string, string>): Gateway {
  const made = stripe(configOf(variables));
  if (!made) throw new Error('It is off.');
  return made;
}

/** A Stripe for each test, and a store that uses it, with a shared clock. */
export class StripeStore {
  provider = new StripeServer();
  gateway: Gateway = configured({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  });
  instant = '';
  #references = 0;

  get now() {
    return new Date(this.instant);
  }

  pass(seconds: number): void {
    this.instant = addSeconds(this.instant, seconds);
  }

  async start(): Promise<void> {
    this.instant = '2026-09-01T10:00:00.000Z';
    this.provider = new StripeServer();
    await this.provider.open(() => this.now);
    this.gateway = configured(this.provider.variables);
  }

  payment(changed: Partial<NewPayment> = {}): NewPayment {
    return {
      reference: `order-7-${++this.#references}`,
      order: { id: 7, number: 'INV-7', title: 'A course & more' },
      amount: 12_500,
      currency: 'USD',
      buyer: { name: 'Ayu', email: 'ayu@buyer.example', phone: '+628123456789' },
      opened_at: this.instant,
      expires_at: addSeconds(this.instant, 3600),
      return_url: 'https://shop.example/thanks?order=7',
      callback_url: `${base}/payments/stripe/callback`,
      ...changed,
    };
  }

  open = (payment: NewPayment, gateway = this.gateway) => gateway.open(payment, http, this.now);

  async opened(changed: Partial<NewPayment> = {}): Promise<Attempt> {
    const payment = this.payment(changed);
    const { provider_id, expires_at } = await this.open(payment);
    return { ...payment, provider_id, payment_ref: null, expires_at, wanted: true };
  }

  async paid(): Promise<Attempt> {
    const attempt = await this.opened();
    this.provider.pay(attempt.reference);
    return { ...attempt, payment_ref: (await this.look(attempt)).payment_ref };
  }

  look = (attempt: Attempt) => this.gateway.look(attempt, http, this.now);

  cancel = (attempt: Attempt) => this.gateway.cancel?.(attempt, http, this.now);

  refund = (attempt: Attempt, key: string, amount: number, reason: string | null = null) =>
    this.gateway.refund?.(attempt, { key, amount, reason }, http, this.now);
}

export function useStripe(): StripeStore {
  const store = new StripeStore();
  beforeEach(() => store.start());
  afterEach(() => store.provider.close());
  return store;
}
