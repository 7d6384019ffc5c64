import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import { type OrderStatus, orderStatuses } from '../../../src/schema/lists.ts';
import { type LedgerChange, followOrder } from '../../../src/domain/commission/ledger-change.ts';
import { earnedByTier } from '../../../src/domain/commission/ledger.ts';
import { type CommissionColumns } from '../../../src/schema/commissions.ts';
import { decideByHand, decideRemoval, stateOf } from '../../../src/domain/commission/rules.ts';
import { type OrderRisk, followRisks } from '../../../src/domain/commission/order-risks.ts';
import { followDecision } from '../../../src/domain/commission/risk-decision.ts';
import { decidedRisk, isCovered } from '../../../src/domain/risk/rules.ts';
import type { OrderRow } from '../../../src/domain/order/rules.ts';
import type { OrderChange } from '../../../src/domain/order/change.ts';
import type { OrderColumns } from '../../../src/schema/orders.ts';
import { transition } from '../../../src/domain/order/transitions.ts';
import { agreed } from '../../harness/rows.ts';

const price = 1999;

const attributedTo = (affiliate_id: number | null) => ({
  affiliate_id,
  attribution:
    affiliate_id === null
      ? null
      : ({ affiliate_id, source: 'explicit', target: null, sub: null } as const),
});

const newOrder = (quantity: number) =>
  ({
    ...{ id: 1, product_id: 1, user_id: 99, ...attributedTo(1), quantity, status: 'on-hold' },
    ...{ subtotal: price * quantity, variant_total: 0, discount_total: 99, adjustment_total: 0 },
    ...{ grand_total: price * quantity - 99 + 500, shipping_total: 500, refunded_total: 0 },
    ...{ paid_at: null, currency: 'USD', payment_gateway: 'manual', agreed: agreed(11) },
  }) as unknown as OrderColumns;

/** One order with its ledger, changed in memory as the service changes it. */
class Book {
  order: OrderColumns;
  rows: readonly CommissionColumns[] = [];
  risks: readonly OrderRisk[] = [];
  now = new Date('2026-03-10T09:00:00Z');
  #nextId = 1;
  readonly fees: readonly Fee[];

  constructor(quantity: number, fees: readonly Fee[]) {
    this.fees = fees;
    this.order = newOrder(quantity);
    this.#apply(this.#follow(null, this.order, 1));
  }

  #ids = () => Array.from({ length: 20 }, () => this.#nextId++);

  /** Makes a sale on each tier, with different earners for each affiliate. */
  #sales(affiliate: number): CommissionColumns[] {
    const at = this.now.toISOString();
    const rows = this.fees.map((fee, i) => ({
      ...{ id: this.#nextId++, tier: i + 1, affiliate_id: 10 * affiliate + i, ...fee },
      ...({ order_id: 1, product_id: 1, buyer_id: 99, kind: 'sale', currency: 'USD' } as const),
      ...({ base_amount: 0, rate_source: 'product', status: 'pending' } as const),
      ...{
        cancellation: null,
        hold_until: null,
        paid_at: null,
        payout_id: null,
        payout_line_id: null,
        parent_id: null,
        held: false,
      },
      ...{ flags: [], note: null, deleted_at: null, created_at: at, updated_at: at, version: 1 },
      commission: 0,
    }));
    const earned = earnedByTier(rows, this.order);
    return rows.map((row) => ({ ...row, commission: earned.get(row.tier)?.full ?? 0 }));
  }

  /** @param suspect the tier at which a new affiliate has a risk; 0 = none */
  #follow(before: OrderColumns | null, after: OrderColumns, suspect = 0) {
    const product = { affiliate: { hold_days: 2 } };
    const change = { before, after, product, now: this.now } as unknown as OrderChange;
    const assigned = before?.affiliate_id !== after.affiliate_id && after.affiliate_id !== null;
    const sales = assigned ? this.#sales(after.affiliate_id ?? 0) : [];
    const finding = { kind: 'same-bank', tier: suspect, affiliate_id: 1, other_id: 99 } as const;
    const found = sales.some(({ tier }) => tier === suspect) ? [finding] : [];
    const risks = followRisks(change, this.risks, { found, pairs: [], ids: this.#ids() });
    const outcome = followOrder(change, this.rows, sales, this.#ids(), risks.after);
    if (!isRefusal(outcome)) {
      this.order = after;
      const changed = new Map(risks.changed.map((each) => [each.before.id, each.after]));
      const kept = risks.isDropped ? [] : this.risks;
      this.risks = [
        ...kept.map(({ risk, tier }) => ({ risk: changed.get(risk.id) ?? risk, tier })),
        ...risks.added.map((risk) => ({ risk, tier: risk.tier })),
      ];
    }
    return outcome;
  }

  #apply(outcome: LedgerChange | { refused: string }): void {
    if ('refused' in outcome) return;
    const changed = new Map(outcome.changed.map((row) => [row.id, row]));
    for (const row of this.rows) {
      const after = changed.get(row.id);
      if (!after) continue;
      expect(row.paid_at, 'a paid row changed').toBe(null);
      expect(after.version).toBe(row.version + 1);
    }
    expect(changed.size).toBe(outcome.changed.length);
    this.rows = [...this.rows.map((row) => changed.get(row.id) ?? row), ...outcome.added];
  }

  take(step: Step): void {
    const { order } = this;
    const row = 'row' in step ? this.rows[step.row % this.rows.length] : undefined;
    switch (step.kind) {
      case 'move': {
        const context = { type: 'digital', autoCancelDays: 0, now: this.now } as const;
        const moved = transition(order, step.status, context);
        if (!isRefusal(moved)) this.#apply(this.#follow(order, moved));
        break;
      }
      case 'refund': {
        const left = order.grand_total - order.refunded_total;
        const refunded_total = order.refunded_total + Math.floor((left * step.share) / 100);
        if (order.paid_at === null || ['refunded', 'cancelled'].includes(order.status)) break;
        this.#apply(this.#follow(order, { ...order, refunded_total }));
        break;
      }
      case 'total': {
        const { grand_total } = step;
        if (grand_total < order.refunded_total) break;
        const adjustment_total = grand_total - order.grand_total + order.adjustment_total;
        this.#apply(this.#follow(order, { ...order, grand_total, adjustment_total }));
        break;
      }
      case 'assign':
        this.#apply(
          this.#follow(order, { ...order, ...attributedTo(step.affiliate) }, step.suspect),
        );
        break;
      case 'decide':
        this.#decide(step);
        break;
      case 'payOut':
        this.rows = this.rows.map((each) =>
          stateOf(each, this.now) === 'payable' && step.tiers.includes(each.tier)
            ? { ...each, paid_at: this.now.toISOString(), version: each.version + 1 }
            : each,
        );
        break;
      case 'wait':
        this.now = new Date(this.now.getTime() + 86_400_000);
        break;
      case 'hand':
      case 'remove': {
        if (!row || row.deleted_at) break;
        const risks = this.#statuses();
        const facts = { rows: this.rows, order, holdDays: 2, ids: this.#ids(), now: this.now };
        const state = { row, risks, ...facts };
        this.#apply(
          step.kind === 'remove'
            ? decideRemoval(state)
            : decideByHand(state, { ...step.input, reason: 'By hand.' }),
        );
      }
    }
  }

  #statuses = () => this.risks.map(({ risk: { status }, tier }) => ({ status, tier }));

  #decide({ risk: at, decision }: { risk: number; decision: 'clear' | 'confirm' }): void {
    const found = this.risks[at % this.risks.length];
    const actor = { type: 'key', id: 1 } as const;
    const risk = found && decidedRisk(found.risk, { decision }, actor, this.now);
    if (!risk || isRefusal(risk) || risk === found.risk) return;
    const { ledger, orders } = followDecision(risk, {
      orders: [{ order: this.order } as OrderRow],
      rows: this.rows,
      risks: this.risks.map((each) => ({ ...each, order_id: 1 })),
      holdDays: new Map([[1, 2]]),
      people: [],
      ids: this.#ids(),
      now: this.now,
    });
    this.order = orders[0]?.order ?? this.order;
    this.risks = this.risks.map((each) => (each === found ? { ...each, risk } : each));
    this.#apply(ledger);
  }

  /** Fails unless every tier sums to its earnings, and the database accepts every row. */
  check(): void {
    const sales = this.rows.filter((r) => r.kind === 'sale' && r.cancellation !== 'reassigned');
    const earned = earnedByTier(sales, this.order);
    const ended = ['cancelled', 'refunded'].includes(this.order.status);
    let together = 0;
    for (const sale of sales) {
      const live = this.rows.filter((r) => r.tier === sale.tier && r.status !== 'cancelled');
      const sum = live.reduce((total, { commission }) => total + commission, 0);
      const isLost = isCovered(this.#statuses(), sale.tier, 'confirmed');
      const earns = !ended && sale.status !== 'cancelled' && !isLost;
      expect(sum).toBe(earns ? earned.get(sale.tier)?.kept : 0);
      expect(new Set(live.map((row) => row.affiliate_id)).size).toBeLessThanOrEqual(1);
      together += sum;
    }
    expect(together).toBeLessThanOrEqual(Math.max(0, this.order.grand_total));
    expect(new Set(sales.map(({ tier }) => tier)).size).toBe(sales.length);
    for (const row of this.rows) {
      expect(row.status === 'cancelled').toBe(row.cancellation !== null);
      if (row.paid_at) expect([row.status, row.held]).toEqual(['added', false]);
      const isOpen = isCovered(this.#statuses(), row.tier, 'open');
      expect(row.held).toBe(isOpen && row.cancellation !== 'reassigned');
      if (row.deleted_at) expect(row.status).toBe('cancelled');
      if (row.status !== 'added') expect(row.hold_until).toBe(null);
      expect(row.kind === 'sale').toBe(row.parent_id === null);
    }
  }
}

type Fee = Pick<CommissionColumns, 'rate' | 'rate_type'>;

const fees = fc.array(
  fc.oneof(
    fc.record({
      rate: fc.integer({ min: 0, max: 500_000 }).map((n) => n / 10_000),
      rate_type: fc.constant('percentage' as const),
    }),
    fc.record({
      rate: fc.integer({ min: 0, max: 900 }),
      rate_type: fc.constant('fixed' as const),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);

type Step =
  | { kind: 'move'; status: OrderStatus }
  | { kind: 'refund'; share: number }
  | { kind: 'total'; grand_total: number }
  | { kind: 'assign'; affiliate: number | null; suspect: number }
  | { kind: 'decide'; risk: number; decision: 'clear' | 'confirm' }
  | { kind: 'payOut'; tiers: number[] }
  | { kind: 'wait' }
  | { kind: 'hand'; row: number; input: object }
  | { kind: 'remove'; row: number };

const someTiers = fc.subarray([1, 2, 3, 4], { minLength: 1 });
const status = fc.constantFrom(...orderStatuses);
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant('move'), status }),
    fc.record({ kind: fc.constant('move'), status }),
    fc.record({ kind: fc.constant('move'), status: fc.constant('completed') }),
    fc.record({ kind: fc.constant('refund'), share: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('total'), grand_total: fc.integer({ min: 0, max: 9000 }) }),
    fc.record({
      kind: fc.constant('assign'),
      affiliate: fc.constantFrom(1, 2, null),
      suspect: fc.constantFrom(0, 1, 1, 2),
    }),
    fc.record({
      kind: fc.constant('decide'),
      risk: fc.nat(5),
      decision: fc.constantFrom('clear', 'confirm'),
    }),
    fc.record({ kind: fc.constant('payOut'), tiers: someTiers }),
    fc.record({ kind: fc.constant('payOut'), tiers: someTiers }),
    fc.record({ kind: fc.constant('wait') }),
    fc.record({
      kind: fc.constant('hand'),
      row: fc.nat(20),
      input: fc.oneof(
        fc.record({ status: fc.constantFrom('pending', 'added', 'cancelled') }),
        fc.record({ commission: fc.integer({ min: 0, max: 2000 }) }),
        fc.record({ paid_status: fc.constant(true) }),
      ),
    }),
    fc.record({ kind: fc.constant('remove'), row: fc.nat(20) }),
  ),
  { minLength: 4, maxLength: 25 },
);

describe('The ledger of an order', () => {
  test('sums to what each tier earns after every change, refund, payment and correction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fees, steps, (quantity, fees, steps) => {
        const book = new Book(quantity, fees);
        book.check();
        for (const step of steps) {
          book.take(step);
          book.check();
        }
      }),
      { numRuns: 800 },
    );
  });

  test('is not changed by a change without effect', () => {
    fc.assert(
      fc.property(fees, steps, (fees, steps) => {
        const book = new Book(1, fees);
        for (const step of steps) book.take(step);
        const before = book.rows;
        book.take({ kind: 'move', status: book.order.status });
        book.take({ kind: 'total', grand_total: book.order.grand_total });
        expect(book.rows).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test('waits for its order, and is earned with it, except for amounts set by hand', () => {
    const moves = steps.map((all) =>
      all.filter(({ kind }) => kind !== 'hand' && kind !== 'decide'),
    );
    fc.assert(
      fc.property(fees, moves, (fees, steps) => {
        const book = new Book(1, fees);
        for (const step of steps) {
          book.take(step);
          const paidTiers = book.rows.filter(({ paid_at }) => paid_at).map(({ tier }) => tier);
          for (const row of book.rows.filter((r) => !paidTiers.includes(r.tier))) {
            if (row.status === 'cancelled') continue;
            expect(row.status).toBe(book.order.status === 'completed' ? 'added' : 'pending');
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
