import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import type { OrderChange } from '../order/change.ts';
import { statusGroup } from '../order/transitions.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { commissionBase, earnedByTier, keptBase } from './ledger.ts';
import { type CommissionColumns } from '../../schema/commissions.ts';
import { firstVersion } from '../../lib/versions.ts';
import { type TierRisk, isCovered } from '../risk/rules.ts';

export interface LedgerChange {
  readonly changed: readonly CommissionColumns[];
  readonly added: readonly CommissionColumns[];
}

type Phase = 'pending' | 'added' | 'ended';

export const phaseOf = ({ status }: Pick<OrderColumns, 'status'>): Phase => {
  const group = statusGroup(status);
  if (group === 'completed') return 'added';
  return group === 'closed' ? 'ended' : 'pending';
};

export const isLive = ({ status, kind }: CommissionColumns): boolean =>
  status !== 'cancelled' && kind !== 'manual';

const isPaid = ({ paid_at }: CommissionColumns): boolean => paid_at !== null;

/** Tells if a row is the sale of the tier's current affiliate. */
const isCurrentSale = ({ kind, cancellation }: CommissionColumns): boolean =>
  kind === 'sale' && cancellation !== 'reassigned';

/**
 * Applies a change of an order to its commissions.
 * @param rows all rows of the order
 * @param sales rows for new affiliates of the order
 * @param ids for the adjustments
 * @param risks of the order's tiers, after the change
 */
export function followOrder(
  change: OrderChange,
  rows: readonly CommissionColumns[],
  sales: readonly CommissionColumns[],
  ids: readonly number[],
  risks: readonly TierRisk[],
): LedgerChange | Refusal<'commission_paid'> {
  const { before, after, now } = change;
  const phase = phaseOf(after);
  const isReassigned = before !== null && before.affiliate_id !== after.affiliate_id;
  if (isReassigned && rows.some(isPaid)) return refuse('commission_paid');
  const moved = isReassigned
    ? rows.map((row) => revised(row, reassigned(row), now))
    : movedRows(rows, before === null ? phase : phaseOf(before), change);
  const isNew = before === null || isReassigned;
  const added = isNew ? sales.map((row) => ({ ...row, ...startOf(change) })) : [];
  return withAdjustments(rows, moved, added, { order: after, ids, now, risks });
}

/** Tells if a change of an order can change what its affiliates earn. */
export function concernsEarnings({ before, after }: OrderChange): boolean {
  if (before === null || phaseOf(before) !== phaseOf(after)) return true;
  const [base, former] = [commissionBase(after), commissionBase(before)];
  return (
    base !== former ||
    keptBase(base, after) !== keptBase(former, before) ||
    after.quantity !== before.quantity ||
    after.affiliate_id !== before.affiliate_id
  );
}

export const isPayable = (
  {
    status,
    paid_at,
    held,
    hold_until,
  }: Pick<CommissionColumns, 'status' | 'paid_at' | 'held' | 'hold_until'>,
  now: Date,
): boolean =>
  status === 'added' &&
  paid_at === null &&
  !held &&
  (hold_until === null || hold_until <= now.toISOString());

/**
 * Changes columns of a row; returns the same object if nothing changes. A row that can't be paid any more leaves its
 * payout draft.
 */
export function revised(
  row: CommissionColumns,
  fields: Partial<CommissionColumns> | undefined,
  now: Date,
): CommissionColumns {
  if (!fields) return row;
  const next = { ...row, ...fields, updated_at: now.toISOString(), version: row.version + 1 };
  return isPayable(next, now) ? next : { ...next, payout_line_id: null };
}

const reassigned = (row: CommissionColumns) =>
  row.cancellation !== 'reassigned'
    ? ({ status: 'cancelled', cancellation: 'reassigned', hold_until: null } as const)
    : undefined;

const heldUntil = ({ product, now }: OrderChange) =>
  addSeconds(now.toISOString(), product.affiliate.hold_days * 86_400);

/** The initial status of an order's commissions. */
function startOf(change: OrderChange): Partial<CommissionColumns> {
  switch (phaseOf(change.after)) {
    case 'pending':
      return { status: 'pending' };
    case 'added':
      return { status: 'added', hold_until: heldUntil(change) };
    case 'ended':
      return { status: 'cancelled', cancellation: 'order' };
  }
}

function movedRows(rows: readonly CommissionColumns[], from: Phase, change: OrderChange) {
  const to = phaseOf(change.after);
  if (from === to) return rows;
  const paidTiers = new Set(rows.filter(isPaid).map(({ tier }) => tier));
  return rows.map((row) => {
    if (isPaid(row)) return row;
    // A manual amount stands by itself.
    const netted = row.kind !== 'manual' && paidTiers.has(row.tier);
    return revised(row, move(row, to, netted, change), change.now);
  });
}

/**
 * Moves an unpaid row to another phase.
 * @param netted true if the tier has a paid row: the next payout then settles this one
 */
function move(
  { status, cancellation, commission }: CommissionColumns,
  to: Phase,
  netted: boolean,
  change: OrderChange,
): Partial<CommissionColumns> | undefined {
  if (status === 'cancelled') {
    const returns = cancellation === 'order' && to !== 'ended';
    return returns ? { cancellation: null, hold_until: null, ...startOf(change) } : undefined;
  }
  switch (to) {
    case 'ended':
      return netted
        ? { status: 'added', hold_until: null }
        : { status: 'cancelled', cancellation: 'order', hold_until: null };
    case 'added':
      return status === 'pending' ? startOf(change) : undefined;
    case 'pending':
      return status === 'pending' || (netted && commission < 0)
        ? undefined
        : { status: 'pending', hold_until: null };
  }
}

interface LedgerFacts {
  readonly order: OrderColumns;
  readonly ids: readonly number[];
  readonly now: Date;
  readonly risks: readonly TierRisk[];
}

/**
 * Holds a row if an open risk is about its tier.
 * @param isStored true if nothing else in it changes
 */
function withHold(
  row: CommissionColumns,
  isStored: boolean,
  risks: readonly TierRisk[],
  now: Date,
): CommissionColumns {
  const held = row.cancellation !== 'reassigned' && isCovered(risks, row.tier, 'open');
  if (held === row.held) return row;
  // A row that is no longer held was in no payout draft either.
  return isStored ? revised(row, { held }, now) : { ...row, held, payout_line_id: null };
}

const saleIdOf = ({ id, parent_id }: CommissionColumns) => parent_id ?? id;

/** Maps sales to the draft lines of their rows. Manual rows belong to no sale. */
const linesOf = (rows: readonly CommissionColumns[]) =>
  new Map(
    rows.flatMap((row) =>
      row.payout_line_id === null || row.kind === 'manual'
        ? []
        : [[saleIdOf(row), row.payout_line_id] as const],
    ),
  );

/**
 * Adds a payable row to the draft line of its sale's other rows.
 * @param isStored true if nothing else in it changes
 */
function withLine(
  row: CommissionColumns,
  isStored: boolean,
  lines: ReadonlyMap<number, number>,
  now: Date,
): CommissionColumns {
  const payout_line_id = lines.get(saleIdOf(row));
  if (payout_line_id === undefined || row.payout_line_id !== null || !isPayable(row, now))
    return row;
  return isStored ? revised(row, { payout_line_id }, now) : { ...row, payout_line_id };
}

/**
 * Adds an adjustment to each tier whose rows don't sum to its earnings, and holds the tiers of open risks. A payable row
 * joins the payout draft of its sale's other rows.
 * @param before the rows as stored
 * @param unheld the same rows after the change, without holds
 */
export function withAdjustments(
  before: readonly CommissionColumns[],
  unheld: readonly CommissionColumns[],
  unheldSales: readonly CommissionColumns[],
  { order, ids, now, risks }: LedgerFacts,
): LedgerChange {
  const held = unheld.map((row, i) => withHold(row, row === before[i], risks, now));
  const lines = linesOf(held);
  const moved = held.map((row, i) => withLine(row, row === before[i], lines, now));
  const sales = unheldSales.map((row) => withHold(row, false, risks, now));
  const all = [...moved, ...sales];
  const current = all.filter(isCurrentSale);
  const earned = earnedByTier(current, order);
  const ended = phaseOf(order) === 'ended';
  const unused = ids.values();
  const adjustments = current.flatMap((sale) => {
    const isLost = ended || !isLive(sale) || isCovered(risks, sale.tier, 'confirmed');
    const target = isLost ? 0 : (earned.get(sale.tier)?.kept ?? 0);
    const sum = all
      .filter((row) => row.tier === sale.tier && isLive(row))
      .reduce((total, { commission }) => total + commission, 0);
    if (sum === target) return [];
    const { value: id } = unused.next();
    if (id === undefined) throw new Error('Too few ids were drawn for the adjustments.');
    return [withLine(adjustment(sale, target - sum, { id, order, now }), false, lines, now)];
  });
  const changed = moved.filter((row, i) => row !== before[i]);
  return { changed, added: [...sales, ...adjustments] };
}

function adjustment(
  sale: CommissionColumns,
  commission: number,
  { id, order, now }: { id: number; order: OrderColumns; now: Date },
): CommissionColumns {
  return {
    ...sale,
    ...stateOfAdjustment(sale, commission, order),
    id,
    kind: 'refund-adjustment',
    parent_id: sale.id,
    commission,
    base_amount: keptBase(commissionBase(order), order),
    cancellation: null,
    paid_at: null,
    payout_id: null,
    payout_line_id: null,
    note: null,
    deleted_at: null,
    ...firstVersion(now.toISOString()),
  };
}

/** An adjustment has the status of its sale. If the sale is paid, the excess is deducted at once. */
function stateOfAdjustment(sale: CommissionColumns, commission: number, order: OrderColumns) {
  if (isLive(sale) && !isPaid(sale)) return { status: sale.status, hold_until: sale.hold_until };
  const waits = commission > 0 && phaseOf(order) === 'pending';
  return { status: waits ? 'pending' : 'added', hold_until: null } as const;
}
