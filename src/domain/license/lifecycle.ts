import type { OrderColumns } from '../../schema/orders.ts';
import { firstOfChain } from '../order/change.ts';
import type { ProductRow } from '../product/rules.ts';
import { type LicenseRow, newLicense, revised } from './rules.ts';
import { isPaid, withHeir, withOrder, withoutOrder } from './terms.ts';

/** The most licences that one order issues. */
export const mostPerOrder = 1000;

/** True if an order would issue more licences than one order may. */
export const exceedsLicenses = ({ license }: ProductRow['product'], quantity: number): boolean =>
  license.active && quantity > mostPerOrder;

type Order = Pick<OrderColumns, 'id' | 'order_parent_id' | 'user_id' | 'status' | 'quantity'>;

/** True if an order issues licences: it is the first of its chain to be completed. */
export const issues = (
  { status }: Order,
  { license }: ProductRow['product'],
  chain: readonly LicenseRow[],
): boolean =>
  status === 'completed' &&
  license.active &&
  chain.every(({ license }) => license.ordinal === null);

/** The licences that a completed order issues, one for each of the ids drawn, with its term. */
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
 * A licence after an order of its chain got another status; the same where nothing follows from it.
 * @param days what the order adds when it is completed; 0 = for ever
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
 * Returns the licence of a payment plan after an order of its chain changed status. The licence has the term of one
 * paid order. If that order no longer counts, another paid order of the chain takes its place.
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

/** Adds the order's term. One that is off although it was paid for was turned off: it stays off. */
function extended(row: LicenseRow, order: Order, days: number, now: Date): LicenseRow {
  const { license, terms } = row;
  const isOff = license.status === 'inactive' && isPaid(terms);
  const after = {
    status: isOff ? license.status : ('active' as const),
    terms: withOrder(terms, order.id, days, now),
  };
  return revisedTo(row, after, now);
}

/** Takes the order's term away; a licence that nothing pays for any more gets the status given. */
function shortened(
  row: LicenseRow,
  order: Order,
  unpaid: 'inactive' | 'pending',
  now: Date,
): LicenseRow {
  const { license } = row;
  const terms = withoutOrder(row.terms, order.id);
  const hadTerm = terms !== row.terms;
  const isOff = hadTerm && license.status === 'inactive';
  // Another order of the chain that never counted says nothing of a licence it didn't pay for.
  const concerned = hadTerm || license.order_id === order.id || license.status === 'pending';
  const status = isPaid(terms) || isOff || !concerned ? license.status : unpaid;
  return revisedTo(row, { status, terms }, now);
}

const revisedTo = (
  row: LicenseRow,
  after: Pick<LicenseRow, 'terms'> & { status: LicenseRow['license']['status'] },
  now: Date,
): LicenseRow =>
  after.status === row.license.status && after.terms === row.terms ? row : revised(row, after, now);
