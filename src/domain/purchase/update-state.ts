import type { Actor } from '../../kernel/auth/actor.ts';
import { type Refusal, current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import type { CouponRow } from '../coupon/rules.ts';
import type { PaymentState } from '../payment/acceptance.ts';
import { firstDraw, noFigures } from '../pricing/unique-code.ts';
import type { BookedPayment } from '../payment/refunds.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { ProductRow } from '../product/rules.ts';
import type { Person } from '../user/rules.ts';
import type { StockClaim } from './create.ts';
import type { OrderChange } from '../order/change.ts';
import type { RevisionState } from './revision.ts';
import { type OrderRow, historyEntry } from '../order/rules.ts';

export interface LoadedUpdate {
  readonly found: OrderRow[];
  readonly product: ProductRow[];
  readonly settings: SettingsRow[];
  readonly buyer: Person[];
  readonly named: Person[];
  /** Only the affiliate, if they bought the product. */
  readonly customers: { id: number }[];
  readonly coupon: CouponRow[];
  readonly paidBy: BookedPayment[];
}

export interface UpdateState extends RevisionState {
  readonly row: OrderRow;
  readonly paidBy: BookedPayment | undefined;
  readonly coupon: CouponRow | undefined;
}

export interface UpdateRequest {
  readonly actor: Actor;
  readonly ifMatch: number | undefined;
  readonly now: Date;
  /** The active redirect gateways, if the update may name one. */
  readonly redirects?: PaymentState['redirects'];
  /** Amounts of other orders, if the update may draw a code. */
  readonly figures?: PaymentState['figures'];
  readonly draw?: PaymentState['draw'];
  /** Says how the provider returned the money: at the dashboard or by a lost dispute. Undefined if it did not. */
  readonly refundedThere?: 'dashboard' | 'dispute';
}

/** An order's next state, with its history entry and stock. */
export interface Update {
  /** The version that was decided on; the next state's own if there is nothing to write. */
  readonly version: number;
  readonly row: OrderRow;
  readonly history: ReturnType<typeof historyEntry>[];
  /** Units by counter: positive to take (all or nothing), negative to return. */
  readonly claims: StockClaim[];
  /** Undefined if nothing changes. */
  readonly change: OrderChange | undefined;
}

export type StateRefusal = Refusal<'rest_not_found' | 'rest_conflict'>;
export function readState(
  loaded: LoadedUpdate,
  { ifMatch, redirects = [], figures = noFigures, draw = firstDraw }: UpdateRequest,
): UpdateState | StateRefusal {
  const [product] = loaded.product;
  const [settings] = loaded.settings;
  const [buyer] = loaded.buyer;
  if (!product || !settings || !buyer) return refuse('rest_not_found');
  const row = current(loaded.found, ifMatch, 'order');
  if (isRefusal(row)) return row;
  return {
    row,
    product,
    settings,
    buyer,
    named: loaded.named[0],
    redirects,
    figures,
    draw,
    customers: loaded.customers.map(({ id }) => id),
    coupon: loaded.coupon[0],
    paidBy: loaded.paidBy[0],
  };
}

export const unchanged = ({ row }: UpdateState): Update => ({
  version: row.order.version,
  row,
  history: [],
  claims: [],
  change: undefined,
});
