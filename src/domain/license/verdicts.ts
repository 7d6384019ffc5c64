import type { OrderStatus } from '../../schema/lists.ts';
import { statusGroup } from '../order/transitions.ts';
import { statusAt } from '../subscription/rules.ts';
import { type SubscriptionColumns } from '../../schema/subscriptions.ts';
import { isFreeHost } from './strings.ts';
import { isPaid } from './terms.ts';
import type { LicenseRow } from './rules.ts';
import type { Verdict } from './verdict-codes.ts';

/** A licence with the facts for its verdict. */
interface JudgedLicense extends LicenseRow {
  /** Null without an order. */
  readonly order_status: OrderStatus | null;
  readonly subscription: SubscriptionColumns | null;
}

export interface LicenseCase extends JudgedLicense {
  readonly product_title: string;
}

/** The product and user that the caller expects of a licence. */
export interface Claim {
  readonly product_id?: number | undefined;
  readonly user_id?: number | undefined;
}

export const isClaimed = ({ license }: LicenseRow, { product_id, user_id }: Claim): boolean =>
  (product_id ?? license.product_id) === license.product_id &&
  (user_id ?? license.user_id) === license.user_id;

/** Decides if a licence can be used on any host. Lists filter by the same conditions (`isValid` in the queries). */
export function judge(
  { license, terms, order_status, subscription }: JudgedLicense,
  { product_id, user_id }: Claim,
  now: Date,
): Verdict {
  if (product_id !== undefined && product_id !== license.product_id) return 'PRODUCT_MISMATCH';
  if (user_id !== undefined && user_id !== license.user_id) return 'USER_MISMATCH';
  if (license.status === 'pending') return 'PENDING';
  if (license.status === 'inactive') return 'INACTIVE';
  if (!isPaid(terms) && isOpen(order_status)) return 'ORDER_NOT_COMPLETED';
  const at = now.toISOString();
  if (subscription && statusAt(subscription, at) !== 'active') return 'SUBSCRIPTION_INACTIVE';
  if (license.expires_at !== null && license.expires_at <= at) return 'EXPIRED';
  return 'VALID';
}

/** Tells if a change makes a licence valid or invalid. */
export const changesValidity = (before: JudgedLicense, after: JudgedLicense, now: Date): boolean =>
  (judge(before, {}, now) === 'VALID') !== (judge(after, {}, now) === 'VALID');

/** Tells if the licence waits for its order to be completed. */
const isOpen = (status: OrderStatus | null) =>
  status !== null && ['unpaid', 'processing'].includes(statusGroup(status));

/**
 * Decides if a licence can be used for a string.
 * @param isRegistered true if the string is one of its activations
 */
export function judgeString(
  row: LicenseCase,
  claim: Claim,
  { string, isRegistered }: { string: string | undefined; isRegistered: boolean },
  now: Date,
): Verdict {
  const verdict = judge(row, claim, now);
  if (verdict !== 'VALID' || string === undefined || isRegistered || isFreeHost(string)) {
    return verdict;
  }
  if (isFull(row.license)) return 'LIMIT_REACHED';
  return row.activations.length === 0 ? 'NO_ACTIVATION' : 'STRING_MISMATCH';
}

export const isFull = ({ activation_limit, activation_count }: LicenseRow['license']): boolean =>
  activation_limit > 0 && activation_count >= activation_limit;
