// The store's tables and the rules of its values, for programs that write into them.
export { findWritten, readTables } from '../cli/archive/catalogue.ts';
export { largestCountedId, raiseSequences } from '../cli/support/sequences.ts';
export { withSessionLock } from '../cli/support/session-lock.ts';
export {
  type Earnings,
  commissionBase,
  earnedByTier,
  keptBase,
} from '../domain/commission/ledger.ts';
export { isPaidOnDelivery } from '../domain/order/gateways.ts';
export { meantCode } from '../domain/license/codes.ts';
export { canonicalString, isFreeHost } from '../domain/license/strings.ts';
export { SettingsUpdate } from '../domain/settings/schemas.ts';
export { displayNameOf } from '../domain/user/rules.ts';
export { addPeriod, dateIn, zonedInstant } from '../lib/calendar.ts';
export { csvLine } from '../lib/csv.ts';
export { isEmail } from '../lib/email.ts';
export type { Instant } from '../lib/instant.ts';
export { largestAmount, percentOf, taxWithin } from '../lib/money.ts';
export { hyphenated, withoutMarks } from '../lib/text.ts';
export { type BlockMessages, accessContent, accessGrants } from '../schema/access.ts';
export { type cancellations, commissions, payouts } from '../schema/commissions.ts';
export { CouponDiscount, CouponRule, noDiscount, noRule } from '../schema/coupon-parts.ts';
export { couponRedemptions, coupons } from '../schema/coupons.ts';
export { GroupParts, noDiscount as noGroupDiscount } from '../schema/group-parts.ts';
export { plainName } from '../domain/file/names.ts';
export { type FileRow, files } from '../schema/files.ts';
export { userGroups } from '../schema/groups.ts';
export { shopManagerId } from '../schema/staff.ts';
export type { importKinds } from '../schema/imports.ts';
export { licenseActivations, licenseTerms, licenses } from '../schema/licenses.ts';
export {
  type LicenseStatus,
  type OrderStatus,
  type OrderType,
  type UserRole,
  attributionSources,
  messageMedia,
  orderStatuses,
  orderTypes,
  paidStatuses,
  statusGroupMembers,
} from '../schema/lists.ts';
export {
  type AgreedPlan,
  type AgreedTerms,
  type OrderColumns,
  type OrderShipping,
  type OrderVariant,
  noShipping,
  orderHistory,
  orders,
} from '../schema/orders.ts';
export {
  type ConfirmationDetail,
  confirmations,
  payableClaims,
  refunds,
} from '../schema/payments.ts';
export { settings } from '../schema/platform.ts';
export { erased } from '../schema/personal.ts';
export { ProductParts, defaultParts } from '../schema/product-parts.ts';
export { productStock, products } from '../schema/products.ts';
export { reminderTemplates, reminders } from '../schema/reminders.ts';
export { subscriptionChanges, subscriptionTerms, subscriptions } from '../schema/subscriptions.ts';
export { userExternalIds, users } from '../schema/users.ts';
