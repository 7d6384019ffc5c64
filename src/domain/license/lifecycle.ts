import type { OrderColumns } from '../../schema/orders.ts';
import { firstOfChain } from '../order/change.ts';
import type { ProductRow } from '../product/rules.ts';
import { type LicenseRow, newLicense, revised } from './rules.ts';
import { isPaid, withHeir, withOrder, withoutOrder } from './terms.ts';

export const mostPerOrder = 1000;

export const exceedsLicenses = ({ license }: ProductRow['product'], quantity: number): boolean =>
  license.active && quantity > mostPerOrder;

type Order = Pick<OrderColumns, 'id' | 'order_parent_id' | 'user_id' | 'status' | 'quantity'>;

/** Tells if an order issues licences: the first of its chain to complete does. */
export const issues = (
  { status }: Order,
  { license }: ProductRow['product'],
  chain: readonly LicenseRow[],
): boolean =>
  status === 'completed' &&
  license.active &&
  chain.every(({ license }) => license.ordinal === null);

/** One licence for each id, with its term. */
export const issued = (
  order: Order,
  product: ProductRow['product'],
  drawn: readonly { readonly id: number; readonly code: string }[],
  now: Date,
): LicenseRow[] =>
  drawn.slice(0, order.quantity).map(({ id, code }, i) =>
    newLicense({
      id,
      code,
      product,
      user_id: order.user_id,
      order_id: firstOfChain(order),
      ordinal: i + 1,
      terms: withOrder([], order.id, product.license.expires_days, now),
      now,
    }),
  );

/**
 * Applies an order's new status to a licence; returns the same object if nothing changes.
 * @param days the days that the completed order adds; 0 = for ever
 */
export function following(row: LicenseRow, order: Order, days: number, now: Date): LicenseRow {
  switch (order.status) {
    case 'completed':
      return extended(row, order, days, now);
    case 'refunded':
    case 'cancelled':
      return shortened(row, order, 'inactive', now);
    case 'on-hold':
      return shortened(row, order, 'pending', now);
    case 'payment-confirm':
    case 'in-progress':
    case 'shipping':
      return row;
  }
}

/**
 * Applies an order's new status to the licence of a payment plan. The licence has the term of one paid order. If that
 * order no longer counts, another paid order replaces it.
 * @param heir another order of the chain that counts
 */
export function followingPlan(
  row: LicenseRow,
  order: Order,
  heir: number | undefined,
  days: number,
  now: Date,
): LicenseRow {
  const { license, terms } = row;
  const isHeld = terms.some(({ order_id }) => order_id === order.id);
  const isLater = order.order_parent_id !== null;
  if (order.status === 'completed') {
    const isPaidFor = isPaid(terms) || (isLater && license.ordinal === null);
    return isPaidFor ? row : extended(row, order, days, now);
  }
  const isOver = ['refunded', 'cancelled', 'on-hold'].includes(order.status);
  if (!isOver || heir === undefined) return following(row, order, days, now);
  return isHeld ? revisedTo(row, withOther(row, order.id, heir), now) : row;
}

const withOther = ({ license: { status }, terms }: LicenseRow, order_id: number, heir: number) => ({
  status,
  terms: withHeir(terms, order_id, heir),
});

/**
 * Tells if a licence was turned off by hand. Imports and former versions did not record this, so a paid licence that is
 * inactive counts, too: no order turns off a paid licence.
 */
const isOffByHand = ({ license: { status, off_by_hand }, terms }: LicenseRow): boolean =>
  status === 'inactive' && (off_by_hand || isPaid(terms));

/** Adds the order's term. A licence that was turned off by hand stays off. */
function extended(row: LicenseRow, order: Order, days: number, now: Date): LicenseRow {
  const status = isOffByHand(row) ? ('inactive' as const) : ('active' as const);
  return revisedTo(row, { status, terms: withOrder(row.terms, order.id, days, now) }, now);
}

/**
 * Removes the order's term. A licence without a paying order gets the given status, unless it was turned off by hand.
 */
function shortened(
  row: LicenseRow,
  order: Order,
  unpaid: 'inactive' | 'pending',
  now: Date,
): LicenseRow {
  const { license } = row;
  const terms = withoutOrder(row.terms, order.id);
  const hadTerm = terms !== row.terms;
  // An order that never counted only affects a licence that it paid for.
  const concerned = hadTerm || license.order_id === order.id || license.status === 'pending';
  const status = isPaid(terms) || isOffByHand(row) || !concerned ? license.status : unpaid;
  return revisedTo(row, { status, terms }, now);
}

const revisedTo = (
  row: LicenseRow,
  after: Pick<LicenseRow, 'terms'> & { status: LicenseRow['license']['status'] },
  now: Date,
): LicenseRow =>
  after.status === row.license.status && after.terms === row.terms
    ? row
    : revised(row, { ...after, off_by_hand: isOffByHand(row) }, now);
