import type { SQL } from 'drizzle-orm';
import { isGiven } from '../../kernel/database/statements.ts';
import type { Actor } from '../../kernel/auth/actor.ts';
import type { CouponRow } from '../coupon/rules.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { ProductRow } from '../product/rules.ts';
import type { Person } from '../user/rules.ts';
import type { OrderColumns } from '../../schema/orders.ts';

/** The parts of a refund by who pays them. */
export interface RefundSplit {
  /** The payment at the provider, if there is one. */
  readonly session: SessionRow | undefined;
  readonly byProvider: number;
  /** The rest, paid by the store itself. */
  readonly byHand: number;
  /** True if the provider has returned its part already. */
  readonly isMade: boolean;
  /** True if a lost dispute returned it. */
  readonly ofDispute?: boolean;
}

/** An existing order, or one about to be placed. */
export type OrderTarget =
  | {
      readonly kind: 'existing';
      readonly id: number | SQL;
      readonly quantity?: number | SQL | undefined;
      /**
       * Rows of ids: all users that the order may count for after the change. Absent if its affiliate doesn't change.
       */
      readonly candidates?: SQL | undefined;
    }
  | {
      readonly kind: 'new';
      readonly user_id: number | SQL;
      readonly product_id: number | SQL;
      /** By default 1; for a renewal, the quantity of the first order. */
      readonly quantity?: number | SQL | undefined;
      /** The order that the request names as renewed. */
      readonly order_parent_id?: number | SQL | undefined;
      /** Rows of ids: the users who may earn from the order. */
      readonly candidates: SQL;
    };

/** False for a new first order, whose chain has no other orders, licences or terms. */
export const hasChain = (target: OrderTarget): boolean | SQL =>
  target.kind === 'existing' || isGiven(target.order_parent_id);

/** The order's own id if it renews none. */
export const firstOfChain = ({
  id,
  order_parent_id,
}: Pick<OrderColumns, 'id' | 'order_parent_id'>) => order_parent_id ?? id;

/** A decided change of an order, as the reactions get it. */
export interface OrderChange {
  /** Null for a new order. */
  readonly before: OrderColumns | null;
  readonly after: OrderColumns;
  readonly product: ProductRow['product'];
  readonly buyer: Person;
  readonly coupon: CouponRow | undefined;
  readonly settings: SettingsRow;
  readonly actor: Actor;
  readonly note: string | null;
  readonly refund: RefundSplit | undefined;
  /** True if the order waits for an amount that another order gave up. */
  readonly takesOver: boolean;
  readonly now: Date;
}
