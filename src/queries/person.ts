import { type SQL, and, asc, eq, getTableColumns, getTableName, gt, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { accessGrants } from '../schema/access.ts';
import { accountPhones, buyerSponsors } from '../schema/accounts.ts';
import { bankMutations } from '../schema/bank-mutations.ts';
import { commissions, payouts } from '../schema/commissions.ts';
import { consoleSessions } from '../schema/console.ts';
import { couponRedemptions, coupons } from '../schema/coupons.ts';
import { groupMoves } from '../schema/group-moves.ts';
import { licenseActivations, licenseTerms, licenses } from '../schema/licenses.ts';
import { media } from '../schema/media.ts';
import { messageSuppressions, messages } from '../schema/messages.ts';
import { orderHistory, orders } from '../schema/orders.ts';
import { purchaseForms } from '../schema/purchase-forms.ts';
import { confirmations, paymentSessions, refunds, unexpectedPayments } from '../schema/payments.ts';
import { payoutLines } from '../schema/payout-runs.ts';
import type { Exported } from '../schema/personal.ts';
import { reminders } from '../schema/reminders.ts';
import { subscriptionChanges, subscriptionTerms, subscriptions } from '../schema/subscriptions.ts';
import { userExternalIds, users } from '../schema/users.ts';
import { wishes } from '../schema/wishlist.ts';
import { build } from '../kernel/database/statements.ts';

/** A person's rows in a table. */
interface Section {
  readonly from: PgTable;
  readonly theirs: (id: number) => SQL;
  /** A unique column. */
  readonly key: PgColumn;
  /**
   * Columns that are secrets, name other people, only concern how the service works, or hold the store's own notes and
   * risks.
   */
  readonly hidden: readonly string[];
}

const section = <T extends PgTable>(
  from: T,
  key: PgColumn,
  theirs: Section['theirs'],
  ...hidden: (keyof T['$inferSelect'] & string)[]
): Section => ({ from, key, theirs, hidden });

const is = (column: PgColumn) => (id: number) => eq(column, id);

const ofTheirOrders = (column: PgColumn) => (id: number) =>
  sql`${column} in (select o.id from orders o where o.user_id = ${id})`;

const ofTheirLicenses = (column: PgColumn) => (id: number) =>
  sql`${column} in (select l.id from licenses l where l.user_id = ${id})`;

const toThem = (id: number) => sql`(${messageSuppressions.message_id} in (
    select m.id from messages m where m.user_id = ${id})
  or exists (select from users u where u.id = ${id} and ${messageSuppressions.address} in (
    u.email, '+' || regexp_replace(u.phone, '[^0-9]', '', 'g'))))`;

/**
 * All stored data of a person, by table. Of orders that count for the person as an affiliate, it has their own part and
 * nothing about the buyers.
 */
const sections = {
  users: section(users, users.id, is(users.id)),
  accountPhones: section(accountPhones, accountPhones.user_id, is(accountPhones.user_id)),
  userExternalIds: section(userExternalIds, userExternalIds.provider, is(userExternalIds.user_id)),
  buyerSponsors: section(buyerSponsors, buyerSponsors.user_id, is(buyerSponsors.user_id)),
  groupMoves: section(groupMoves, groupMoves.order_id, is(groupMoves.user_id)),
  orders: section(orders, orders.id, is(orders.user_id), 'stock_counters'),
  orderHistory: section(
    orderHistory,
    orderHistory.id,
    ofTheirOrders(orderHistory.order_id),
    ...(['actor_type', 'actor_id'] as const),
  ),
  purchaseForms: section(
    purchaseForms,
    purchaseForms.key,
    ofTheirOrders(purchaseForms.order_id),
    ...(['key', 'network', 'link_generation'] as const),
  ),
  paymentSessions: section(
    paymentSessions,
    paymentSessions.id,
    ofTheirOrders(paymentSessions.order_id),
    'url',
  ),
  confirmations: section(
    confirmations,
    confirmations.id,
    is(confirmations.user_id),
    ...(['reviewed_by', 'duplicate_of'] as const),
  ),
  bankMutations: section(
    bankMutations,
    bankMutations.id,
    ofTheirOrders(bankMutations.order_id),
    ...(['account_number', 'unread'] as const),
  ),
  unexpectedPayments: section(
    unexpectedPayments,
    unexpectedPayments.id,
    ofTheirOrders(unexpectedPayments.order_id),
    ...(['resolved_by_type', 'resolved_by'] as const),
  ),
  refunds: section(
    refunds,
    refunds.id,
    ofTheirOrders(refunds.order_id),
    ...(['actor_type', 'actor_id'] as const),
  ),
  couponRedemptions: section(
    couponRedemptions,
    couponRedemptions.order_id,
    is(couponRedemptions.user_id),
  ),
  subscriptions: section(subscriptions, subscriptions.id, is(subscriptions.user_id), 'note'),
  subscriptionTerms: section(
    subscriptionTerms,
    subscriptionTerms.order_id,
    ofTheirOrders(subscriptionTerms.order_id),
  ),
  subscriptionChanges: section(
    subscriptionChanges,
    subscriptionChanges.id,
    ofTheirOrders(subscriptionChanges.first_order_id),
  ),
  accessGrants: section(accessGrants, accessGrants.id, is(accessGrants.user_id), 'note'),
  licenses: section(licenses, licenses.id, is(licenses.user_id), ...(['code', 'note'] as const)),
  licenseTerms: section(licenseTerms, licenseTerms.id, ofTheirLicenses(licenseTerms.license_id)),
  licenseActivations: section(
    licenseActivations,
    licenseActivations.id,
    ofTheirLicenses(licenseActivations.license_id),
  ),
  commissions: section(
    commissions,
    commissions.id,
    is(commissions.affiliate_id),
    ...(['buyer_id', 'flags', 'held', 'cancellation', 'note'] as const),
  ),
  payoutLines: section(
    payoutLines,
    payoutLines.id,
    is(payoutLines.affiliate_id),
    ...(['moves', 'issues'] as const),
  ),
  payouts: section(payouts, payouts.id, is(payouts.affiliate_id)),
  // Without the rule, which names other people.
  coupons: section(coupons, coupons.id, is(coupons.user_id), 'rule'),
  messages: section(
    messages,
    messages.id,
    is(messages.user_id),
    ...(['key', 'lease_token', 'sender', 'provider_id', 'last_error'] as const),
  ),
  messageSuppressions: section(messageSuppressions, messageSuppressions.id, toThem),
  reminders: section(reminders, reminders.id, is(reminders.user_id), 'last_error'),
  media: section(media, media.key, is(media.user_id)),
  wishes: section(wishes, wishes.id, is(wishes.user_id)),
  consoleSessions: section(
    consoleSessions,
    consoleSessions.id,
    is(consoleSessions.user_id),
    ...(['prefix', 'hash'] as const),
  ),
} satisfies Record<Exported, Section> & Record<string, Section>;

export type SectionName = keyof typeof sections;

/** The sections, with the names of their tables. */
export const personSections = Object.entries(sections).map(([name, { from }]) => ({
  name: name as SectionName,
  table: getTableName(from),
}));

/** Returns the key of a row, for the next page. */
export const keyOf = (name: SectionName, row: Record<string, unknown> | undefined) =>
  row?.[sections[name].key.name];

/** Reads a person's rows in a section, after the row with this key. */
export function listOwn(name: SectionName, id: number, limit: number, after?: unknown) {
  const { from, key, theirs, hidden }: Section = sections[name];
  const columns = Object.entries(getTableColumns(from)).filter(([of]) => !hidden.includes(of));
  return build
    .select(Object.fromEntries(columns))
    .from(from)
    .where(and(theirs(id), after === undefined ? undefined : gt(key, after)))
    .orderBy(asc(key))
    .limit(limit);
}
