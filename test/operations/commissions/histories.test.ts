import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../../src/schema/lists.ts';
import type { Commission } from '../../../src/domain/commission/schemas.ts';
import { runs } from '../../harness/long.ts';
import { nothing, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();
let groups: number[];

const rate = fc.oneof(
  fc.record({
    fee: fc.integer({ min: 0, max: 333_333 }).map((n) => n / 10_000),
    type: fc.constant('percentage'),
  }),
  fc.record({ fee: fc.integer({ min: 0, max: 300 }), type: fc.constant('fixed') }),
);

const tiers = (maxLength: number) =>
  fc
    .array(rate, { minLength: 1, maxLength })
    .map((fees) => fees.map((f, i) => ({ tier: i + 1, ...f })));

/** The sponsors: each affiliate's is an earlier one, or nobody. */
const tree = fc.array(fc.nat(6), { minLength: 3, maxLength: 6 });

const n = fc.nat(30);
const of = <const K extends string, T extends object>(kind: K, fields: fc.Arbitrary<T>) =>
  fields.map((some) => ({ kind, ...some }));

const place = of(
  'place',
  fc.record({ product: n, seller: n, quantity: fc.integer({ min: 1, max: 3 }) }),
);
const to = (...statuses: OrderStatus[]) => fc.constantFrom(...statuses);
const complete = of('move', fc.record({ order: n, status: to('completed') }));
const move = of('move', fc.record({ order: n, status: to(...orderStatuses) }));
const refund = of('refund', fc.record({ order: n, share: fc.integer({ min: 1, max: 100 }) }));
const total = of('total', fc.record({ order: n, grand_total: fc.integer({ min: 0, max: 5000 }) }));
const assign = of('assign', fc.record({ order: n, seller: n }));
const payOut = of('payOut', fc.record({ seller: n }));
const cancelPayout = of('cancelPayout', fc.record({ payout: n }));
const hand = of('hand', fc.record({ row: n, commission: fc.integer({ min: 0, max: 1500 }) }));
const statuses = fc.constantFrom('pending', 'added', 'cancelled');
const status = of('status', fc.record({ row: n, status: statuses }));
const remove = of('remove', fc.record({ row: n }));
const wait = of('wait', fc.record({ days: fc.integer({ min: 1, max: 4 }) }));

const step = fc.oneof(
  ...[place, complete, complete, move, move, move, refund, total, assign],
  ...[payOut, payOut, payOut, cancelPayout, hand, status, remove, wait],
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

beforeAll(async () => {
  const { fixture } = stage.at;
  const made = [
    { name: 'A', commissions: [{ tier: 2, fee: 33.3333, type: 'percentage' }] },
    { name: 'B', commissions: [{ tier: 1, fee: 400, type: 'fixed' }], min_sales_for_upline: 1 },
  ].map((group) => fixture.api.post('/user-groups', group));
  groups = (await Promise.all(made)).map(({ body }) => body.data.id);
});

interface Row {
  id: number;
  paid_at: string | null;
  deleted_at: string | null;
}

/** A store with affiliates and products for a history. */
class Play {
  readonly sellers: number[] = [];
  readonly products: number[] = [];
  readonly orders: number[] = [];
  readonly payouts: number[] = [];

  pick = (list: readonly number[], index: number) => list[index % Math.max(1, list.length)];

  async rows(): Promise<Row[]> {
    const { rows } = await stage.at.fixture.store.database.query<{ row: Row }>(
      'select to_jsonb(c) as row from commissions c where order_id = any ($1) order by id',
      [this.orders],
    );
    return rows.map(({ row }) => row);
  }

  /** Makes a step, allowed or not. */
  async take(step: Step): Promise<void> {
    const { api, store } = stage.at.fixture;
    const order = 'order' in step ? this.pick(this.orders, step.order) : undefined;
    const seller = 'seller' in step ? this.pick(this.sellers, step.seller) : undefined;
    const row =
      'row' in step
        ? this.pick(
            (await this.rows()).map(({ id }) => id),
            step.row,
          )
        : undefined;
    if (step.kind === 'wait') return store.clock.advance(step.days * 86_400);
    if (step.kind === 'place') return this.place(step, seller);
    if (step.kind === 'payOut') {
      const { body } = await api.post('/payouts', {
        ...{ affiliate_id: seller, method: 'BCA', reference: 'TRX' },
      });
      if (body.success) this.payouts.push(body.data.id);
    } else if (step.kind === 'cancelPayout') {
      const payout = this.pick(this.payouts, step.payout);
      if (payout) await api.post(`/payouts/${payout}/cancel`);
    } else if (row !== undefined) {
      if (step.kind === 'remove') await api.delete(`/commissions/${row}`);
      if (step.kind === 'status') await api.patch(`/commissions/${row}`, { status: step.status });
      if (step.kind === 'hand') {
        await api.patch(`/commissions/${row}`, { commission: step.commission, reason: 'By hand.' });
      }
    } else if (order !== undefined) await this.change(order, step, seller);
  }

  private async place(step: Extract<Step, { kind: 'place' }>, affiliate_id: number | undefined) {
    const { fixture } = stage.at;
    const product_id = this.pick(this.products, step.product) ?? 0;
    const { quantity } = step;
    this.orders.push((await fixture.newOrder({ product_id, affiliate_id, quantity })).id);
  }

  private async change(order: number, step: Step, affiliate_id: number | undefined) {
    const { api } = stage.at.fixture;
    const update = (body: object) => api.patch(`/orders/${order}`, body);
    if (step.kind === 'move') await update({ status: step.status });
    if (step.kind === 'total') await update({ grand_total: step.grand_total });
    if (step.kind === 'assign') await update({ affiliate_id });
    if (step.kind === 'refund') {
      const { grand_total } = await stage.at.fixture.order(order);
      const amount = Math.ceil((grand_total * step.share) / 100);
      if (amount > 0) await api.post(`/orders/${order}/refunds`, { amount, reason: 'Asked.' });
    }
  }
}

test('after any history the rows of every tier sum to what it earns, and to every balance', async () => {
  const stories = fc.record({
    tree,
    products: fc.tuple(tiers(4), tiers(3)),
    holds: fc.tuple(fc.nat(2), fc.nat(2)),
    steps: fc.array(step, { minLength: 20, maxLength: 40 }),
  });
  const { fixture } = stage.at;
  await fc.assert(
    fc.asyncProperty(stories, async ({ tree, products, holds, steps }) => {
      const play = new Play();
      for (const [i, above] of tree.entries()) {
        const sponsor = play.sellers[above % (i + 1)] ?? null;
        const group_id = i % 3 === 0 ? null : (groups[i % 2] ?? null);
        const { id } = await fixture.newAffiliate({ affiliate_id: sponsor, group_id });
        play.sellers.push(id);
      }
      for (const [i, fees] of products.entries()) {
        const affiliate = { enabled: true, tiers: fees, hold_days: holds[i] };
        const reply = await fixture.api.post('/products', {
          title: 'A',
          price: 1999 - i,
          affiliate,
        });
        if (reply.status === 201) play.products.push(reply.body.data.id);
      }
      if (play.products.length === 0) return;
      await play.take({ kind: 'place', product: 0, seller: tree.length - 1, quantity: 2 });
      const paid = new Map<number, Row>();
      for (const step of steps) {
        await play.take(step);
        expectUntouched(paid, await play.rows(), step.kind === 'cancelPayout');
      }
      await expectIntegrity(fixture);
      for (const id of play.sellers) {
        const { body } = await fixture.api.get(`/commissions?per_page=100&affiliate_id=${id}`);
        const replayed = { ...nothing };
        for (const { state, commission } of body.data as Commission[]) {
          if (state !== 'cancelled') replayed[state] += commission;
        }
        expect(await stage.at.balances({ id })).toEqual(replayed);
      }
    }),
    { numRuns: runs(6) },
  );
}, 120_000);

/** Fails if a paid commission was changed; only a cancelled payout releases one. */
function expectUntouched(paid: Map<number, Row>, rows: Row[], back: boolean): void {
  for (const row of rows) {
    const before = paid.get(row.id);
    if (before && (row.paid_at !== null || !back)) expect(row).toEqual(before);
    if (row.paid_at === null) paid.delete(row.id);
    else paid.set(row.id, row);
  }
}
