import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import type { CommissionState, CommissionStatus } from '../../schema/lists.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import {
  type LedgerChange,
  isPayable,
  phaseOf,
  revised,
  withAdjustments,
} from './ledger-change.ts';
import { commissionBase, earnedByTier } from './ledger.ts';
import { type CommissionColumns } from '../../schema/commissions.ts';
import type { TierRisk } from '../risk/rules.ts';
import type { Commission, CommissionUpdate } from './schemas.ts';

export function stateOf(row: CommissionColumns, now: Date): CommissionState {
  if (row.status !== 'added') return row.status;
  if (row.paid_at !== null) return 'paid';
  return isPayable(row, now) ? 'payable' : 'held';
}

export const toCommission = (row: CommissionColumns, now: Date): Commission => ({
  ...row,
  paid_status: row.paid_at !== null,
  state: stateOf(row, now),
});

/** Removes the store's notes and suspicions. */
export const forEarner = (commission: Commission): Commission => ({
  ...commission,
  note: null,
  flags: [],
});

export interface HandState {
  readonly row: CommissionColumns;
  readonly rows: readonly CommissionColumns[];
  readonly order: OrderColumns;
  readonly holdDays: number;
  readonly ids: readonly number[];
  readonly risks: readonly TierRisk[];
  readonly now: Date;
}

type HandRefusal = Refusal<
  | 'rest_invalid_param'
  | 'rest_invalid_transition'
  | 'commission_paid'
  | 'commission_adjustment'
  | 'commission_not_payable'
>;

/** Paid rows never change; an adjustment follows its sale. */
export function decideByHand(
  state: HandState,
  input: CommissionUpdate,
): LedgerChange | HandRefusal {
  const { row, rows, order, ids, risks, now } = state;
  const asked = changesAsked(row, input);
  if (Object.keys(asked).length === 0) return { changed: [], added: [] };
  if (row.paid_at !== null) return refuse('commission_paid');
  const { status, commission, paid_status, note } = asked;
  if (row.kind === 'refund-adjustment' && (status ?? commission) !== undefined) {
    return refuse('commission_adjustment', { data: { parent_id: row.parent_id } });
  }
  const allowed = nextByHand(row, order);
  if (status && !allowed.includes(status)) {
    return refuse('rest_invalid_transition', {
      message: `The commission may not change from ${row.status} to ${status}.`,
      data: { from: row.status, to: status, allowed },
    });
  }
  const figure = commission === undefined ? {} : handSet(state, commission, input.reason);
  if (isRefusal(figure)) return figure;
  const place = status ? statusByHand(status, state) : {};
  if (paid_status && stateOf({ ...row, ...place }, now) !== 'payable') {
    return refuse('commission_not_payable');
  }
  if (paid_status && row.payout_line_id !== null) {
    return refuse('commission_not_payable', { message: 'The commission is in a payout run.' });
  }
  const fields = {
    ...place,
    ...figure,
    ...(paid_status && { paid_at: now.toISOString() }),
    ...(note !== undefined && { note }),
  };
  const next = (status ? withTier(state, place) : rows).map((other) =>
    other.id === row.id ? revised(row, fields, now) : other,
  );
  return withAdjustments(rows, next, [], { order, ids, now, risks });
}

/** Removes an unpaid commission from every list. With a sale, all other rows of its tier are removed. */
export function decideRemoval(
  state: HandState,
): LedgerChange | Refusal<'commission_paid' | 'commission_adjustment'> {
  const { row, rows, order, ids, risks, now } = state;
  if (row.paid_at !== null) return refuse('commission_paid');
  if (row.kind === 'refund-adjustment') {
    return refuse('commission_adjustment', { data: { parent_id: row.parent_id } });
  }
  const removed = {
    ...(row.cancellation !== 'reassigned' && statusByHand('cancelled', state)),
    deleted_at: now.toISOString(),
  };
  return withAdjustments(rows, withTier(state, removed, true), [], { order, ids, now, risks });
}

function changesAsked(row: CommissionColumns, input: CommissionUpdate) {
  const { status, paid_status, commission, note } = input;
  return {
    ...(status !== undefined && status !== row.status && { status }),
    ...(paid_status !== undefined && paid_status !== (row.paid_at !== null) && { paid_status }),
    ...(commission !== undefined && commission !== row.commission && { commission }),
    ...(note !== undefined && note !== row.note && { note }),
  };
}

/** Tells if a commission was taken from its affiliate. Only the order or a risk can undo this. */
const isTakenAway = (cancellation: CommissionColumns['cancellation']) =>
  cancellation === 'reassigned' || cancellation === 'risk';

/** The statuses that can be set manually. */
function nextByHand({ status, cancellation }: CommissionColumns, order: OrderColumns) {
  const next: CommissionStatus[] =
    phaseOf(order) === 'ended' || isTakenAway(cancellation) ? [] : ['pending', 'added'];
  return [...next, 'cancelled' as const].filter((to) => to !== status);
}

function statusByHand(status: CommissionStatus, { holdDays, now }: HandState) {
  const at = now.toISOString();
  return {
    status,
    cancellation: status === 'cancelled' ? ('hand' as const) : null,
    hold_until: status === 'added' ? addSeconds(at, holdDays * 86_400) : null,
  };
}

/**
 * Sets columns of a manual row; or of a sale and of its tier's unpaid adjustments with the same status.
 * @param all includes adjustments with another status
 */
const withTier = (
  { row, rows, now }: HandState,
  fields: Partial<CommissionColumns>,
  all = false,
): readonly CommissionColumns[] =>
  rows.map((other) => {
    const follows =
      other.parent_id === row.id &&
      other.paid_at === null &&
      (all || (other.status === row.status && other.cancellation === row.cancellation));
    return other.id === row.id || follows ? revised(other, fields, now) : other;
  });

/** Limits a manual amount to what the other tiers leave. */
function handSet(
  { row, rows, order }: HandState,
  commission: number,
  reason: string | undefined,
): Partial<CommissionColumns> | Refusal<'rest_invalid_param'> {
  const note = reason ?? row.note;
  if (row.kind === 'manual') return { commission, note };
  const tiers = rows.filter((r) => r.kind === 'sale' && r.cancellation !== 'reassigned');
  const base = commissionBase(order);
  const others = [...earnedByTier(tiers, order)]
    .filter(([tier]) => tier !== row.tier)
    .reduce((sum, [, { full }]) => sum + full, 0);
  if (commission > base - others) {
    return refuse('rest_invalid_param', {
      params: { commission: `may be ${base - others} at most: all tiers share ${base}` },
    });
  }
  return { commission, base_amount: base, rate_source: 'manual', note };
}
