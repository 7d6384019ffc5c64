import { type SQL, and, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { accessGrants } from '../schema/access.ts';
import { bankMutations } from '../schema/bank-mutations.ts';
import { consoleCodes, consoleLinks, consoleSessions } from '../schema/console.ts';
import { commissions } from '../schema/commissions.ts';
import { licenseActivations, licenses } from '../schema/licenses.ts';
import {
  accountCodes,
  accountLinks,
  accountPhones,
  accountSessions,
  newBuyers,
} from '../schema/accounts.ts';
import { fileDownloads } from '../schema/files.ts';
import { media, personalPurposes } from '../schema/media.ts';
import { orderHistory, orders } from '../schema/orders.ts';
import { purchaseForms } from '../schema/purchase-forms.ts';
import { confirmations, refunds } from '../schema/payments.ts';
import { type deleted, erased } from '../schema/personal.ts';
import { idempotencyKeys } from '../schema/platform.ts';
import { messageSuppressions, messages } from '../schema/messages.ts';
import { payoutLines } from '../schema/payout-runs.ts';
import { reminders } from '../schema/reminders.ts';
import { risks } from '../schema/risks.ts';
import { subscriptions } from '../schema/subscriptions.ts';
import { wishes } from '../schema/wishlist.ts';
import type { Person } from '../domain/user/rules.ts';
import { type Statement, build } from '../kernel/database/statements.ts';
import { isPhone, isPhoneTyped } from './phones.ts';

/** Tables with traces of a user. The user's own record and external ids are saved like any change of them. */
type Traced = Exclude<keyof typeof erased | (typeof deleted)[number], 'users' | 'userExternalIds'>;

/**
 * Removes a user's personal data from everything except their own record: details in orders and payments, notes of
 * others, and stored answers. The records stay, with their amounts. `schema/personal.ts` says which columns are
 * personal; this file says whose a row is.
 */
export function eraseTraces(
  { id, email, phone }: Pick<Person, 'id' | 'email' | 'phone'>,
  now: Date,
): Statement[] {
  const ofTheirOrders = (order_id: PgColumn) =>
    sql`${order_id} in (select o.id from orders o where o.user_id = ${id})`;
  const ofTheirLicenses = sql`${licenseActivations.license_id} in (
    select l.id from licenses l where l.user_id = ${id})`;
  const names = (recipient: PgColumn) =>
    sql`(${or(sql`lower(${recipient}) = lower(${email})`, isPhoneTyped(recipient, phone))})`;
  // The seller's notices name no user.
  const toThem = sql`(coalesce(${messages.user_id} = ${id}, false)
    or ${messages.recipient_named} and ${names(messages.recipient)})`;
  const blank = (table: PgTable, values: object, theirs: SQL | undefined) =>
    blankRows(table, values, theirs, now);
  return Object.values({
    consoleCodes: build.delete(consoleCodes).where(eq(consoleCodes.user_id, id)),
    consoleLinks: build.delete(consoleLinks).where(eq(consoleLinks.user_id, id)),
    consoleSessions: build.delete(consoleSessions).where(eq(consoleSessions.user_id, id)),
    orders: blank(orders, erased.orders, eq(orders.user_id, id)),
    orderHistory: blank(orderHistory, erased.orderHistory, ofTheirOrders(orderHistory.order_id)),
    purchaseForms: blank(
      purchaseForms,
      erased.purchaseForms,
      // Includes forms that have no order yet. A union of two queries: an "or" of both conditions
      // would scan all rows.
      sql`${purchaseForms.key} in (
        select f.key from purchase_forms f join orders o on o.id = f.order_id where o.user_id = ${id}
        union select f.key from purchase_forms f where f.email = ${email ?? ''})`,
    ),
    refunds: blank(refunds, erased.refunds, ofTheirOrders(refunds.order_id)),
    bankMutations: blank(
      bankMutations,
      erased.bankMutations,
      ofTheirOrders(bankMutations.order_id),
    ),
    confirmations: blank(confirmations, erased.confirmations, eq(confirmations.user_id, id)),
    reminders: blank(
      reminders,
      { ...erased.reminders, status: cancelled },
      // Includes reminders of others that were sent to this person. A union of two queries: an "or"
      // of both conditions would scan all rows.
      sql`${reminders.id} in (
        select r.id from reminders r where r.user_id = ${id}
        union select ${reminders.id} from ${reminders}
               where ${reminders.recipient_named} and ${names(reminders.recipient)})`,
    ),
    messageSuppressions: build.delete(messageSuppressions).where(
      or(
        // Includes reminders of deleted messages.
        eq(messageSuppressions.address, email ?? ''),
        isPhone(messageSuppressions.address, phone),
        sql`${messageSuppressions.message_id} in (
            select m.id from messages m where m.user_id = ${id})`,
      ),
    ),
    messages: blank(
      messages,
      {
        ...erased.messages,
        recipient: sql`case when ${toThem} then '' else ${messages.recipient} end`,
        recipient_named: sql`${messages.recipient_named} and not ${toThem}`,
        status: unsent(toThem),
      },
      // Messages to the user or to their address, and notices to the seller about their orders.
      sql`${messages.id} in (
        select m.id from messages m where m.user_id = ${id}
        union select ${messages.id} from ${messages}
               where ${messages.recipient_named} and ${names(messages.recipient)}
        union select m.id from messages m join orders o on o.id = m.order_id
               where o.user_id = ${id} and m.user_id is null)`,
    ),
    accessGrants: blank(accessGrants, erased.accessGrants, eq(accessGrants.user_id, id)),
    // The earnings of the person, and the earnings of others from the person's purchases.
    commissions: blank(
      commissions,
      erased.commissions,
      // A union of two queries: an "or" of both conditions would scan all rows.
      sql`${commissions.id} in (
        select c.id from commissions c where c.affiliate_id = ${id} and c.note is not null
        union select c.id from commissions c join orders o on o.id = c.order_id
               where o.user_id = ${id})`,
    ),
    risks: blank(risks, erased.risks, or(eq(risks.affiliate_id, id), eq(risks.other_id, id))),
    payoutLines: blank(payoutLines, erased.payoutLines, eq(payoutLines.affiliate_id, id)),
    subscriptions: blank(subscriptions, erased.subscriptions, eq(subscriptions.user_id, id)),
    licenses: blank(licenses, erased.licenses, eq(licenses.user_id, id)),
    licenseActivations: blank(licenseActivations, erased.licenseActivations, ofTheirLicenses),
    media: hidePictures(id, now),
    accountCodes: build.delete(accountCodes).where(eq(accountCodes.user_id, id)),
    accountLinks: build.delete(accountLinks).where(eq(accountLinks.user_id, id)),
    accountPhones: build.delete(accountPhones).where(eq(accountPhones.user_id, id)),
    accountSessions: build.delete(accountSessions).where(eq(accountSessions.user_id, id)),
    newBuyers: build.delete(newBuyers).where(eq(newBuyers.user_id, id)),
    fileDownloads: build.delete(fileDownloads).where(eq(fileDownloads.user_id, id)),
    wishes: build.delete(wishes).where(eq(wishes.user_id, id)),
    idempotencyKeys: forgetAnswers(id),
  } satisfies Record<Traced | 'idempotencyKeys', Statement>);
}

/**
 * Replaces values that differ. Of a JSON document, only the named keys are replaced (`shipping.phone`), if they exist.
 */
function blankRows(table: PgTable, values: object, theirs: SQL | undefined, now: Date): Statement {
  const columns: Record<string, PgColumn> = getTableColumns(table);
  const set: Record<string, SQL> = {};
  for (const [name, value] of Object.entries(values)) {
    const [column = name, key] = name.split('.');
    set[column] =
      key === undefined
        ? sql`${sql.param(value, columns[column])}`
        : sql`${set[column] ?? columns[column]} || ${JSON.stringify({ [key]: value })}::jsonb`;
  }
  const differs = Object.entries(set).map(
    ([name, value]) => sql`${columns[name]} is distinct from ${value}`,
  );
  return build
    .update(table)
    .set({ ...set, ...changed(columns, now) })
    .where(and(theirs, or(...differs)));
}

/** Rows without a version are no records, and don't count as changed. */
const changed = ({ version }: Record<string, PgColumn>, now: Date) =>
  version && { updated_at: now.toISOString(), version: sql`${version} + 1` };

/** Cancels waiting reminders. */
const cancelled = sql`case when ${reminders.status} in ('pending', 'sending') then 'cancelled'
  else ${reminders.status} end`;

/** Cancels queued messages to a person, and notices to the seller about their orders. */
const unsent = (toThem: SQL) => sql`case
  when ${messages.status} = 'queued' and (${toThem} or ${messages.content} is not null)
    then 'cancelled' else ${messages.status} end`;

/** Hides a user's own pictures. Creatives stay, because pages show them. */
const hidePictures = (user_id: number, now: Date) =>
  build
    .update(media)
    .set({ deleted_at: now.toISOString() })
    .where(
      and(
        eq(media.user_id, user_id),
        inArray(media.purpose, personalPurposes),
        isNull(media.deleted_at),
      ),
    );

/**
 * Empties stored answers that show the user's records or were requested in their name. Their keys stay, so that a retry is
 * refused and not carried out again. If the user is only the affiliate of another person's order, the answer stays. The
 * answer to the erasure itself has no personal data.
 */
const forgetAnswers = (id: number) => {
  const caller = `user:${id}`;
  const theirs = `$.** ? (@.user_id == ${id} || @.buyer_id == ${id}
    || @.id == ${id} && exists (@.email)
    || @.affiliate.id == ${id} && !exists (@.user_id))`;
  return build
    .update(idempotencyKeys)
    .set({ fingerprint: '', body: '' })
    .where(
      or(
        eq(idempotencyKeys.caller, caller),
        sql`starts_with(${idempotencyKeys.caller}, ${`${caller} by `})`,
        // Most answers don't contain the id, and need not be parsed.
        sql`case when strpos(${idempotencyKeys.body}, ${`id":${id}`}) > 0
            and ${idempotencyKeys.body} is json object
          then jsonb_path_exists(${idempotencyKeys.body}::jsonb, ${theirs}::jsonpath) end`,
      ),
    );
};
