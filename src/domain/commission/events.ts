import { type DomainEvent, defineEvents } from '../../kernel/events/define.ts';
import type { LedgerChange } from './ledger-change.ts';
import type { CommissionColumns } from '../../schema/commissions.ts';
import { toCommission } from './rules.ts';
import { Commission } from './schemas.ts';

export const commissionEvent = defineEvents('commissions:read', {
  'commission.created': { summary: 'An order created a commission.', payload: Commission },
  'commission.pending': {
    summary: 'A commission that was earned or cancelled waits for its order again.',
    payload: Commission,
  },
  'commission.added': { summary: 'A commission was earned.', payload: Commission },
  'commission.cancelled': { summary: 'A commission was cancelled.', payload: Commission },
  'commission.paid': { summary: 'A commission was paid.', payload: Commission },
  'commission.adjusted': {
    summary: 'A commission was corrected; the correction is a separate row.',
    payload: Commission,
  },
});

/** @param before the rows before the change */
export function ledgerEvents(
  before: readonly CommissionColumns[],
  { changed, added }: LedgerChange,
  now: Date,
): DomainEvent[] {
  const former = new Map(before.map((row) => [row.id, row]));
  return [
    ...changed.flatMap((row) => {
      const name = whatHappened(former.get(row.id), row);
      return name ? [commissionEvent(name, toCommission(row, now))] : [];
    }),
    ...added.flatMap((row) => {
      const record = toCommission(row, now);
      if (row.kind !== 'sale') return [commissionEvent('commission.adjusted', record)];
      const created = commissionEvent('commission.created', record);
      return row.status === 'added'
        ? [created, commissionEvent('commission.added', record)]
        : [created];
    }),
  ];
}

/** The events of a move to a status. */
const moved = {
  pending: 'commission.pending',
  added: 'commission.added',
  cancelled: 'commission.cancelled',
} as const;

function whatHappened(before: CommissionColumns | undefined, after: CommissionColumns) {
  if (before?.paid_at === null && after.paid_at !== null) return 'commission.paid';
  if (before?.status === after.status) return undefined;
  return moved[after.status];
}
