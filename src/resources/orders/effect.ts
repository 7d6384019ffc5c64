import type { SQL } from 'drizzle-orm';
import type { Actor } from '../../auth/principals.ts';
import type { Results, Statements, Write } from '../../db/statements.ts';
import type { DomainEvent } from '../../events/define.ts';
import type { ErrorCode, Refusal } from '../../http/errors.ts';
import type { CouponRow } from '../coupons/rules.ts';
import type { SettingsRow } from '../platform/queries.ts';
import type { ProductRow } from '../products/rules.ts';
import type { Person } from '../users/rules.ts';
import type { OrderColumns } from './rules.ts';

/** The order whose change is being loaded for: one that exists, or one about to be placed. */
export type OrderTarget =
  | {
      readonly kind: 'existing';
      readonly id: number | SQL;
      /** The quantity it is about to get. */
      readonly quantity?: number | undefined;
      /** Everybody it may come to count for, as rows of ids; absent where that doesn't change. */
      readonly candidates?: SQL | undefined;
    }
  | {
      readonly kind: 'new';
      readonly user_id: number;
      readonly product_id: number;
      /** By default 1, of a renewal what it renews. */
      readonly quantity?: number | undefined;
      /** The order it says it renews. */
      readonly order_parent_id?: number | null | undefined;
      /** Everybody it may count for, as rows of ids. */
      readonly candidates: SQL;
    };

/** Whether there can be other orders, licences or terms of its chain: not of a first order yet. */
export const hasChain = (target: OrderTarget): boolean =>
  target.kind === 'existing' || Boolean(target.order_parent_id);

/** A change of an order that was decided, as the areas that follow from it see it. */
export interface OrderChange {
  /** Null for a new order. */
  readonly before: OrderColumns | null;
  readonly after: OrderColumns;
  readonly product: ProductRow['product'];
  readonly buyer: Person;
  /** The coupon it uses. */
  readonly coupon: CouponRow | undefined;
  readonly settings: SettingsRow;
  readonly actor: Actor;
  /** What the caller says of the change. */
  readonly note: string | null;
  readonly now: Date;
}

/** What an area adds to the transaction of an order's change. */
export interface Consequence<C extends ErrorCode> {
  readonly write: readonly Write<C>[];
  readonly events?: readonly DomainEvent[];
}

/**
 * An area whose records follow from orders (commissions, licences, access, …). What it needs to know
 * is loaded in the same trip as the order; what it decides is written in the same transaction.
 */
export interface OrderEffect<S extends Statements, C extends ErrorCode> {
  /** Keeps the statements of effects apart. */
  readonly name: string;
  /** What it refuses with; every endpoint that changes orders declares these. */
  readonly errors: readonly C[];
  load(target: OrderTarget): S;
  decide(change: OrderChange, loaded: Results<S>): Consequence<C> | Refusal<C>;
}

/** Declares an effect; its statements and codes are inferred. */
export const orderEffect = <S extends Statements, const C extends ErrorCode = never>(
  effect: OrderEffect<S, C>,
): OrderEffect<S, C> => effect;
