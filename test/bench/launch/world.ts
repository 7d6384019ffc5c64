import { servicesOf } from '../../../src/kernel/deployment/services.ts';
import { Simulated } from '../../jobs/simulated.ts';
import { Receiver } from '../../kernel/events/receiver.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Store, baseUrl } from '../../harness/store.ts';
import { ResendServer } from '../../providers/messages/resend.ts';
import { providers } from '../../providers/index.ts';
import { MootaServer } from '../../providers/moota.ts';
import type { TestProvider } from '../../providers/provider.ts';
import { Timeline } from './timeline.ts';

const api = `${baseUrl}/api/svc/v1`;

/** Calls a second that Resend accepts from an account. */
const mailRate = 2;

const second = 1000;
const hour = 3600 * second;

/** A store on the day of a launch, with all other parties as servers on this machine. */
export class World {
  readonly store: Store;
  readonly timeline: Timeline;
  readonly currency: string;
  readonly receiver = new Receiver();
  /** Arrival times of events, by webhook and event id. */
  readonly delivered = new Map<string, Map<string, number>>();
  /** The time at which each order was paid by its buyer. */
  readonly paid = new Map<number, number>();
  get logs(): readonly Record<string, unknown>[] {
    return this.#scheduler.logs;
  }
  readonly #resend = new ResendServer();
  readonly #moota = new MootaServer();
  readonly #providers: TestProvider[];
  readonly #scheduler: Simulated;
  #deployment: ReturnType<Store['deployment']> | undefined;
  #isRinging = false;
  #fixture: StoreFixture | undefined;
  #products: Record<string, number> = {};

  constructor(store: Store, currency: string) {
    this.store = store;
    this.currency = currency;
    const deployment = () => (this.#deployment ??= store.deployment());
    this.#scheduler = new Simulated(store, async () => servicesOf(await deployment()));
    this.timeline = new Timeline(store.clock, store.neon);
    this.#providers = Object.values(providers)
      .map((make) => make())
      .filter(({ units }) => units[currency] !== undefined);
  }

  /** The ways to pay: transfer, payment on delivery, free, and each provider that takes the currency. */
  get ways(): string[] {
    const transfers = this.currency === 'IDR' ? ['manual', 'manual', 'manual'] : [];
    return [...transfers, 'cod', 'free', ...this.#providers.map(({ id }) => id)];
  }

  async open(): Promise<void> {
    const { store } = this;
    const now = () => store.clock.now();
    const servers = [this.#resend, this.#moota, ...this.#providers];
    for (const server of servers) {
      await server.open(now);
      Object.assign(await store.environment, server.variables);
    }
    this.#resend.perSecond = mailRate;
    await this.receiver.open();
    store.scheduler = { getByName: () => this.#scheduler };
    this.#fixture = await StoreFixture.open(store);
    await this.#furnish(this.#fixture);
    this.#ringHourly();
  }

  async close(): Promise<void> {
    for (const server of [this.#resend, this.#moota, ...this.#providers]) await server.close();
    await this.receiver.close();
  }

  async #furnish(fixture: StoreFixture): Promise<void> {
    const account = { id: 'BCA', bank: 'BCA', owner: 'Demo', account_number: '1234567890' };
    const settings = {
      store_name: 'Launch',
      currency: this.currency,
      currency_exponent: this.currency === 'IDR' ? 0 : 2,
      country: 'ID',
      notification_email: 'seller@shop.example',
      unique_code_enabled: this.currency === 'IDR',
      unique_code_largest: 9999,
      manual_accounts: JSON.stringify([account]),
    };
    for (const [column, value] of Object.entries(settings)) await fixture.set(column, value);
    const price = this.currency === 'IDR' ? 500_000 : 12_000;
    this.#products = {
      usual: (await fixture.newProduct({ price })).id,
      cod: (await fixture.newProduct({ price, type: 'physical', cod: { active: true } })).id,
      free: (await fixture.newProduct({ price: 0 })).id,
    };
    for (const name of ['members', 'bookkeeping', 'mailing list']) {
      const url = this.receiver.url(`/${encodeURIComponent(name)}`);
      await fixture.api.post('/webhooks', { name, url, events: ['order.*', 'payment.*'] });
      this.delivered.set(name, new Map());
    }
    this.receiver.answer = ({ path, headers }) => {
      const name = decodeURIComponent(path.slice(1));
      this.delivered.get(name)?.set(headers['webhook-id'] ?? '', this.timeline.now());
      return {};
    };
  }

  /**
   * Places an order for a new buyer, who pays some time later.
   * @param chance numbers from 0 to 1
   */
  async order(name: string, way: string, chance: () => number): Promise<void> {
    const body = {
      product_id: this.#products[way] ?? this.#products['usual'],
      buyer: { email: `${name}@people.example`, name: 'Dewi Kartika' },
      ...(way !== 'free' && { payment_gateway: way }),
    };
    const reply = await this.#fixture?.api.post('/orders', body);
    if (reply?.status !== 201) throw new Error(JSON.stringify(reply?.body));
    const { id, grand_total } = reply.body.data as { id: number; grand_total: number };
    const provider = this.#providers.find((one) => one.id === way);
    // One notice in ten is lost.
    const isLost = chance() < 0.1;
    const later = this.timeline.now() + (20 + chance() * 180) * second;
    if (way === 'manual') this.timeline.at(later, () => this.#transfer(id, grand_total, isLost));
    if (provider) await this.#atProvider(id, provider, later, isLost);
  }

  async #transfer(id: number, amount: number, isLost: boolean): Promise<void> {
    this.paid.set(id, this.timeline.now());
    this.#moota.move({ account: '1234567890', amount });
    const callback = this.#moota.takeCallback(api);
    if (!isLost) await this.store.fetch(callback);
  }

  /** The buyer opens the provider's page at once, and pays later. */
  async #atProvider(id: number, provider: TestProvider, later: number, isLost: boolean) {
    const page = await this.#fixture?.api.get(`/orders/${id}/payment-gateway`);
    const reference = provider.references().findLast((one) => one.startsWith(`${id}-`));
    if (page?.status !== 200 || reference === undefined) {
      throw new Error(`Order ${id} has no page: ${JSON.stringify(page?.body)}`);
    }
    this.timeline.at(later, async () => {
      this.paid.set(id, this.timeline.now());
      provider.pay(reference);
      const callbacks = provider.takeCallbacks(api);
      if (!isLost) for (const callback of callbacks) await this.store.fetch(callback);
    });
  }

  /** Rings the cron at each full hour, as `wrangler.toml` says. */
  #ringHourly(): void {
    const next = (Math.floor(this.timeline.now() / hour) + 1) * hour;
    this.timeline.at(next, () => {
      this.#ringHourly();
      return this.#scheduler.run();
    });
  }

  /** Advances the time to a moment; the scheduler's alarm rings when it is due. */
  until(end: number): Promise<void> {
    const { storage } = this.#scheduler;
    return this.timeline.run(end, this.store.background, {
      at: () => (this.#isRinging ? Infinity : (storage.alarm ?? Infinity)),
      ring: async () => {
        storage.alarm = null;
        this.#isRinging = true;
        await this.#scheduler.run();
        this.#isRinging = false;
      },
    });
  }
}
