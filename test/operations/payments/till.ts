import { afterAll, beforeAll } from 'vitest';
import { systemAccess } from '../../../src/kernel/command/store.ts';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { findSessions } from '../../../src/queries/payment-sessions.ts';
import { findSettings } from '../../../src/queries/settings.ts';
import { askProviders } from '../../../src/jobs/ask-providers.ts';
import { cancelExpired } from '../../../src/jobs/cancel-expired-orders.ts';
import { sendRefunds } from '../../../src/jobs/send-refunds.ts';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { gatewaysOf } from '../../../src/providers/payments/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Store, baseUrl, openStore } from '../../harness/store.ts';
import type { TestProvider } from '../../providers/provider.ts';
import { providers } from '../../providers/index.ts';

export class Till {
  readonly fixture: StoreFixture;
  readonly provider: TestProvider;
  /** The price of its product: 500,000 rupiah, or 120 in any other currency, in the store's unit. */
  readonly price: number;
  product_id = 0;

  private constructor(fixture: StoreFixture, provider: TestProvider, price: number) {
    this.fixture = fixture;
    this.provider = provider;
    this.price = price;
  }

  /**
   * @param currency of the provider, with the store's decimals
   * @param fixture a store that has other tills too
   */
  static async open(
    name: string,
    currency: string,
    exponent: number,
    fixture?: StoreFixture,
  ): Promise<Till> {
    const provider = providers[name]?.();
    if (!provider) throw new Error(`There is no provider ${name}.`);
    const store = fixture?.store ?? (await openStore());
    await provider.open(() => store.clock.now());
    Object.assign(await store.environment, provider.variables);
    store.restart();
    const whole = currency === 'IDR' ? 500_000 : 120;
    const till = new Till(
      fixture ?? (await StoreFixture.open(store)),
      provider,
      whole * 10 ** exponent,
    );
    await till.fixture.set('currency', currency);
    await till.fixture.set('currency_exponent', exponent);
    await till.fixture.set('country', 'ID');
    till.product_id = (await till.fixture.newProduct({ price: till.price })).id;
    const webhook = { url: 'http://127.0.0.1:1/', events: ['*'], status: 'paused' };
    await till.fixture.api.post('/webhooks', webhook);
    return till;
  }

  get store(): Store {
    return this.fixture.store;
  }

  async close(): Promise<void> {
    await this.provider.close();
    await this.store.close();
  }

  newOrder = async (fields: object = {}): Promise<Order> => {
    const buyer = await this.fixture.newUser({
      display_name: 'Dewi Kartika',
      email: `dewi-${crypto.randomUUID().slice(0, 8)}@people.example`,
      phone: '081234567890',
    });
    return this.fixture.newOrder({
      product_id: this.product_id,
      user_id: buyer.id,
      payment_gateway: this.provider.id,
      ...fields,
    });
  };

  page = (order_id: number) => this.fixture.api.get(`/orders/${order_id}/payment-gateway`);

  /**
   * Opens an order's payment page.
   * @returns the payment's reference
   */
  opened = async (order_id: number): Promise<string> => {
    const reply = await this.page(order_id);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return this.provider.references().at(-1) ?? '';
  };

  /**
   * Delivers the provider's callbacks.
   * @returns the statuses of the answers
   */
  bring = async (times = 1): Promise<number[]> => {
    const statuses: number[] = [];
    for (const callback of this.provider.takeCallbacks(baseUrl + '/api/svc/v1')) {
      for (let i = 0; i < times; i++) statuses.push(await this.post(callback.clone()));
    }
    return statuses;
  };

  lose = (): void => {
    this.provider.takeCallbacks(`${baseUrl}/api/svc/v1`);
  };

  post = async (callback: Request): Promise<number> => (await this.store.fetch(callback)).status;

  later = async (seconds: number): Promise<void> => {
    this.store.clock.advance(seconds);
    const services = await this.store.services();
    await askProviders(services);
    await sendRefunds(services);
    await cancelExpired(services);
  };

  unexpected = async (order_id: number) =>
    (await this.fixture.api.get(`/payments/unexpected?order_id=${order_id}`)).body.data;

  /** Events of an order's payments and refunds, in order. */
  events = async (order_id: number): Promise<string[]> => {
    const { rows } = await this.store.database.query<{ event: string }>(
      `select event from outbox
        where data ->> 'order_id' = $1 and event ~ '^(payment|order.refund)' order by id`,
      [String(order_id)],
    );
    return rows.map(({ event }) => event);
  };

  paid = async (fields: object = {}): Promise<{ id: number; reference: string }> => {
    const { id } = await this.newOrder(fields);
    const reference = await this.opened(id);
    this.provider.pay(reference);
    await this.bring();
    return { id, reference };
  };

  /** True if the provider makes and reports refunds. */
  givesBack = async (): Promise<boolean> => {
    const { config } = await this.store.services();
    return gatewaysOf(config).some((gateway) => 'refund' in gateway);
  };

  refund = async (order_id: number, amount?: number) => {
    const reply = await this.fixture.api.post(`/orders/${order_id}/refunds`, { amount });
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
    return reply.body.data.refund;
  };

  refunds = async (order_id: number) =>
    (await this.fixture.api.get(`/orders/${order_id}/refunds`)).body.data;
}

/** Records a reversal as former versions did, which kept the amount and asked no more. */
export async function recordReversal({ store }: Till, reference: string): Promise<void> {
  await store.database.query(
    `insert into unexpected_payments
       (session_id, order_id, gateway, amount, currency, reason, status, created_at, updated_at)
     select id, order_id, gateway, amount, currency, 'reversed', 'open', $2, $2
       from payment_sessions where reference = $1`,
    [reference, store.clock.now().toISOString()],
  );
  await store.database.query('update payment_sessions set check_at = null where reference = $1', [
    reference,
  ]);
}

/** Returns the input of a look-up of an order's latest payment. */
export async function toAsk(till: Till, order_id: number) {
  const services = await till.store.services();
  const [gateway] = gatewaysOf(services.config);
  const unit = new UnitOfWork(services.connection, undefined);
  const { sessions, settings } = await unit.query({
    sessions: findSessions(order_id),
    settings: findSettings(),
  });
  const [session] = sessions;
  const [own] = settings;
  if (!gateway || !session || !own) throw new Error('There is nothing to ask about.');
  const { outbound: http } = services;
  const asking = { gateway, session, settings: own, http };
  return { services, asking, ...asking, access: systemAccess(services) };
}

/** The till for the tests of one provider, in one of its currencies. */
export function useTill(
  name: string,
  currency?: string,
  exponent?: number,
): { readonly till: Till } {
  let till: Till | undefined;
  const units = providers[name]?.().units ?? {};
  const own = currency ?? Object.keys(units)[0] ?? 'USD';
  beforeAll(async () => {
    till = await Till.open(name, own, exponent ?? units[own] ?? 2);
  });
  afterAll(() => till?.close());
  return {
    get till() {
      if (!till) throw new Error('The till opens before the first test.');
      return till;
    },
  };
}
