import { beforeAll, expect } from 'vitest';
import type { Commission } from '../../src/domain/commission/schemas.ts';
import type { Order } from '../../src/domain/order/schemas.ts';
import type { Product } from '../../src/domain/product/schemas.ts';
import type { User } from '../../src/domain/user/schemas.ts';
import { type StoreFixture, useStoreFixture } from './store-fixture.ts';

export const day = 86_400;

export const percentages = (...fees: number[]) =>
  fees.map((fee, i) => ({ tier: i + 1, fee, type: 'percentage' }));

/** A store with a line of affiliates, each the sponsor of the next, and helpers for their commissions. */
export class AffiliateStore {
  readonly fixture: StoreFixture;
  readonly top: User;
  readonly middle: User;
  readonly seller: User;

  private constructor(fixture: StoreFixture, people: [User, User, User]) {
    this.fixture = fixture;
    [this.top, this.middle, this.seller] = people;
  }

  static async open(fixture: StoreFixture): Promise<AffiliateStore> {
    await fixture.set('site_url', 'https://store.example');
    const top = await fixture.newAffiliate({ display_name: 'Top' });
    const middle = await fixture.newAffiliate({ display_name: 'Middle', affiliate_id: top.id });
    const seller = await fixture.newAffiliate({ display_name: 'Seller', affiliate_id: middle.id });
    return new AffiliateStore(fixture, [top, middle, seller]);
  }

  /** A product of 100,000 that pays 20, 10 and 5 per cent, held for a week. */
  newCourse = (affiliate: object = {}, fields: object = {}): Promise<Product> =>
    this.fixture.newProduct({
      price: 100_000,
      affiliate: { enabled: true, tiers: percentages(20, 10, 5), hold_days: 7, ...affiliate },
      ...fields,
    });

  /** An order that counts for the seller. */
  sell = (product: Product, fields: object = {}): Promise<Order> =>
    this.fixture.newOrder({ product_id: product.id, affiliate_id: this.seller.id, ...fields });

  async ledger(order: { id: number }): Promise<Commission[]> {
    const { body } = await this.fixture.api.get(
      `/commissions?order_id=${order.id}&sort=id&per_page=100`,
    );
    return body.data;
  }

  /** The ledger as tier, amount and state. */
  async amounts(order: { id: number }) {
    const rows = await this.ledger(order);
    return rows.map(({ tier, commission, state }) => [tier, commission, state]);
  }

  async change(order: { id: number }, body: object): Promise<void> {
    const reply = await this.fixture.api.patch(`/orders/${order.id}`, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  }

  async refund(order: { id: number }, amount?: number): Promise<void> {
    const body = { reason: 'Asked for.', ...(amount && { amount }) };
    const reply = await this.fixture.api.post(`/orders/${order.id}/refunds`, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  }

  async balances({ id }: { id: number }) {
    const { body } = await this.fixture.api.get(`/affiliates/${id}/commission-info`);
    const { pending_commission, held_commission, payable_commission, paid_commission } = body.data;
    return {
      pending: pending_commission,
      held: held_commission,
      payable: payable_commission,
      paid: paid_commission,
    };
  }

  payOut = ({ id }: { id: number }) =>
    this.fixture.api.post('/payouts', { affiliate_id: id, method: 'BCA', reference: 'TRX-1' });

  adjust = ({ id }: { id: number }, body: object) =>
    this.fixture.api.patch(`/commissions/${id}`, body);
}

/** Balances of 0. */
export const nothing = { pending: 0, held: 0, payable: 0, paid: 0 };

export function useAffiliateStore(): { readonly at: AffiliateStore } {
  const stage = useStoreFixture();
  let at: AffiliateStore | undefined;
  beforeAll(async () => {
    // Links lead to the store's own site, without the module's pages.
    Object.assign(await stage.fixture.store.environment, { MODULES: 'edd-sl mcp slm' });
    stage.fixture.store.restart();
    at = await AffiliateStore.open(stage.fixture);
  });
  return {
    get at() {
      if (!at) throw new Error('The store opens before the first test.');
      return at;
    },
  };
}
