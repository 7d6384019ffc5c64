import { type SQL, sql } from 'drizzle-orm';
import { type Write, raw } from '../kernel/database/statements.ts';
import { findPending } from './confirmations.ts';
import { findOtherAmounts } from './unexpected-payments.ts';

/** Loads what a person has to decide while an order is in `payment-confirm`. */
export const loadUndecided = (order_id: number | SQL) => ({
  proofs: findPending(order_id),
  amounts: findOtherAmounts(order_id),
});

/** The confirmation or unexpected payment that is being decided. */
export interface Decided {
  readonly confirmation_id?: number;
  readonly unexpected_id?: number;
}

/** Requires that a person has to decide more about a locked order, or has to decide nothing more. */
export const requireUndecided = (
  order_id: number,
  { confirmation_id = 0, unexpected_id = 0 }: Decided,
  isMore: boolean,
): Write<'rest_conflict'> => ({
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard(${isMore} = exists (
    select from (${findPending(order_id).getSQL()}) proof where proof.id <> ${confirmation_id}
    union all
    select from (${findOtherAmounts(order_id).getSQL()}) amount where amount.id <> ${unexpected_id}
  ), 'rest_conflict')`),
});
