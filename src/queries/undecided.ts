import { type SQL, sql } from 'drizzle-orm';
import { type Write, raw } from '../kernel/database/statements.ts';
import { findPending } from './confirmations.ts';
import { findOtherAmounts } from './unexpected-payments.ts';

/** Loads what a person has to decide while an order is in `payment-confirm`. */
export const loadUndecided = (order_id: number | SQL) => ({
  proofs: findPending(order_id),
  amounts: findOtherAmounts(order_id),
});

/** The id of the confirmation or unexpected payment that is being decided. */
export interface Decided {
  readonly proof?: number;
  readonly amount?: number;
}

/** Requires that a person has to decide more about a locked order, or has to decide nothing more. */
export const requireUndecided = (
  order_id: number,
  { proof = 0, amount = 0 }: Decided,
  isMore: boolean,
): Write<'rest_conflict'> => ({
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard(${isMore} = exists (
    select from (${findPending(order_id).getSQL()}) proof where proof.id <> ${proof}
    union all
    select from (${findOtherAmounts(order_id).getSQL()}) amount where amount.id <> ${amount}
  ), 'rest_conflict')`),
});
