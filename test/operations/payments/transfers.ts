import { afterAll, beforeAll } from 'vitest';
import { findTransfers } from '../../../src/jobs/find-transfers.ts';
import type { BankMutation } from '../../../src/domain/payment/mutation-schemas.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Store, baseUrl, openStore } from '../../harness/store.ts';
import { MootaServer } from '../../providers/moota.ts';

const api = `${baseUrl}/api/svc/v1`;

/** A store in rupiah whose buyers transfer to two accounts that Moota reads. */
export class Counter {
  readonly fixture: StoreFixture;
  readonly moota: MootaServer;
  #price = 500_000;

  private constructor(fixture: StoreFixture, moota: MootaServer) {
    this.fixture = fixture;
    this.moota = moota;
  }

  static async open(): Promise<Counter> {
    const store = await openStore();
    const moota = new MootaServer();
    await moota.open(() => store.clock.now());
    Object.assign(await store.environment, moota.variables);
    const fixture = await StoreFixture.open(store);
    await fixture.set('currency', 'IDR');
    await fixture.set('currency_exponent', 0);
    await fixture.set('unique_code_enabled', true);
    const account = { owner: 'Demo Store' };
    await fixture.set(
      'manual_accounts',
      JSON.stringify([
        { ...account, id: 'BCA', bank: 'BCA', account_number: '123-456-7890' },
        { ...account, id: 'BRI', bank: 'BRI', account_number: '98765432' },
      ]),
    );
    return new Counter(fixture, moota);
  }

  get store(): Store {
    return this.fixture.store;
  }

  async close(): Promise<void> {
    await this.moota.close();
    await this.store.close();
  }

  /** An order with a price of its own that waits for a transfer. */
  newOrder = async (fields: object = {}) => {
    this.#price += 10_000;
    return this.orderAt(this.#price, fields);
  };

  orderAt = async (price: number, fields: object = {}) => {
    const { id: product_id } = await this.fixture.newProduct({ price });
    return this.fixture.newOrder({ product_id, payment_gateway: 'manual', ...fields });
  };

  plainOrder = async (price: number, fields: object = {}) => {
    await this.fixture.set('unique_code_enabled', false);
    const order = await this.orderAt(price, fields);
    await this.fixture.set('unique_code_enabled', true);
    return order;
  };

  /**
   * Transfers money to the store, by default into BCA.
   * @returns Moota's id of the transfer
   */
  transfer = (amount: number, fields: object = {}) =>
    this.moota.move({ account: '1234567890', amount, ...fields });

  /**
   * Delivers the callback.
   * @returns the statuses of the answers
   */
  bring = (times = 1) => this.post(this.moota.takeCallback(api), times);

  again = (...ids: readonly string[]) => this.post(this.moota.again(api, ...ids));

  testButton = () => this.post(this.moota.testButton(api));

  forgeries = (id: string, amount: number) => this.moota.forgeries(api, id, amount);

  post = async (callback: Request, times = 1): Promise<number> => {
    let status = 0;
    for (let i = 0; i < times; i++) ({ status } = await this.store.fetch(callback.clone()));
    return status;
  };

  lose = (): void => {
    this.moota.takeCallback(api);
  };

  later = async (seconds: number): Promise<void> => {
    this.store.clock.advance(seconds);
    await findTransfers(await this.store.services());
  };

  status = async (order_id: number) => (await this.fixture.order(order_id)).status;

  mutations = async (query = ''): Promise<BankMutation[]> =>
    (await this.fixture.api.get(`/payments/mutations?per_page=100&${query}`)).body.data;

  mutation = async (id: string): Promise<BankMutation | undefined> =>
    (await this.mutations()).find(({ mutation_id }) => mutation_id === id);

  resolve = async (id: string, body: object) =>
    this.fixture.api.post(`/payments/mutations/${(await this.mutation(id))?.id}`, body);
}

export function useCounter(): { readonly counter: Counter } {
  let counter: Counter | undefined;
  beforeAll(async () => {
    counter = await Counter.open();
  });
  afterAll(() => counter?.close());
  return {
    get counter() {
      if (!counter) throw new Error('The counter opens before the first test.');
      return counter;
    },
  };
}
