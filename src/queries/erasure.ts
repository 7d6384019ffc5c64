import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { accessGrants } from '../schema/access.ts';
import { commissions } from '../schema/commissions.ts';
import { licenseActivations, licenses } from '../schema/licenses.ts';
import { media, personalPurposes } from '../schema/media.ts';
import { orderHistory, orders } from '../schema/orders.ts';
import { confirmations, refunds } from '../schema/payments.ts';
import { idempotencyKeys } from '../schema/platform.ts';
import { reminders } from '../schema/reminders.ts';
import { type Statement, build } from '../kernel/database/statements.ts';

/**
 * Takes what is personal of a user out of everything but their own record: what they said of themselves
 * in orders and payments, what others wrote there, and the answers that are kept for a repeat. The
 * records stay, with their figures.
 */
export const eraseTraces = (id: number, now: Date): Statement[] => [
  ...eraseOrders(id, now),
  eraseConfirmations(id, now),
  eraseReminders(id, now),
  eraseGrants(id, now),
  eraseCommissionNotes(id, now),
  ...eraseLicenses(id, now),
  hidePictures(id, now),
  forgetAnswers(id),
];

/** What marks a record as changed now. */
const changed = ({ version }: { version: PgColumn }, now: Date) => ({
  updated_at: now.toISOString(),
  version: sql`${version} + 1`,
});

/** The buyer's name and address, what was noted, and the caller's own data. */
const eraseOrders = (user_id: number, now: Date) => {
  const theirs = (order_id: typeof orderHistory.order_id | typeof refunds.order_id) =>
    sql`${order_id} in (select o.id from orders o where o.user_id = ${user_id})`;
  return [
    build
      .update(orders)
      .set({
        shipping: sql`${orders.shipping} || '{"receiver": "", "phone": "", "address": "", "postal_code": ""}'`,
        note: null,
        meta: {},
        ...changed(orders, now),
      })
      .where(
        and(
          eq(orders.user_id, user_id),
          or(isNotNull(orders.shipping), isNotNull(orders.note), sql`${orders.meta} <> '{}'`),
        ),
      ),
    build.update(orderHistory).set({ note: null }).where(theirs(orderHistory.order_id)),
    build.update(refunds).set({ reason: null }).where(theirs(refunds.order_id)),
  ];
};

/** Who paid from which account, the proof of it, and why it wasn't accepted. */
const eraseConfirmations = (user_id: number, now: Date) =>
  build
    .update(confirmations)
    .set({
      detail: sql`${confirmations.detail} || '{"sender": "", "account_number": "", "proof": "", "note": ""}'`,
      reject_reason: null,
      ...changed(confirmations, now),
    })
    .where(eq(confirmations.user_id, user_id));

/** Where messages went and what they said; those that were to be sent are cancelled. */
const eraseReminders = (user_id: number, now: Date) =>
  build
    .update(reminders)
    .set({
      recipient: '',
      title: '',
      content: '',
      last_error: null,
      status: sql`case when ${reminders.status} in ('pending', 'sending') then 'cancelled'
        else ${reminders.status} end`,
      ...changed(reminders, now),
    })
    .where(eq(reminders.user_id, user_id));

const eraseGrants = (user_id: number, now: Date) =>
  build
    .update(accessGrants)
    .set({ note: null, revoke_reason: null, ...changed(accessGrants, now) })
    .where(
      and(
        eq(accessGrants.user_id, user_id),
        or(isNotNull(accessGrants.note), isNotNull(accessGrants.revoke_reason)),
      ),
    );

/** Of what they earned, and of what their purchases paid to others. */
const eraseCommissionNotes = (user_id: number, now: Date) =>
  build
    .update(commissions)
    .set({ note: null, ...changed(commissions, now) })
    .where(
      and(
        isNotNull(commissions.note),
        or(
          eq(commissions.affiliate_id, user_id),
          sql`${commissions.order_id} in (select o.id from orders o where o.user_id = ${user_id})`,
        ),
      ),
    );

/** What was noted of their licences. What those are registered for stays: it holds the seats. */
const eraseLicenses = (user_id: number, now: Date) => [
  build
    .update(licenses)
    .set({ note: null, meta: {}, ...changed(licenses, now) })
    .where(
      and(
        eq(licenses.user_id, user_id),
        or(isNotNull(licenses.note), sql`${licenses.meta} <> '{}'`),
      ),
    ),
  build
    .update(licenseActivations)
    .set({ label: '', meta: {} })
    .where(
      sql`${licenseActivations.license_id} in (select l.id from licenses l where l.user_id = ${user_id})`,
    ),
];

/** Takes a user's own pictures out of sight; creatives stay in the pages that show them. */
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
 * Removes the answers kept for repeats that show the user's record or one of theirs, and those of what
 * was asked in their name. Somebody else's order that counts for them is not theirs: its answer keeps a
 * repeat from being a second order. `{"id", "deleted"}`, the answer of this erasure, says nothing of them.
 */
const forgetAnswers = (id: number) => {
  const caller = `user:${id}`;
  const theirs = `$.** ? (@.user_id == ${id} || @.buyer_id == ${id}
    || @.id == ${id} && exists (@.email)
    || @.affiliate.id == ${id} && !exists (@.user_id))`;
  return build.delete(idempotencyKeys).where(
    or(
      eq(idempotencyKeys.caller, caller),
      sql`starts_with(${idempotencyKeys.caller}, ${`${caller} by `})`,
      // Most answers have no such id anywhere, and need not be read.
      sql`case when strpos(${idempotencyKeys.body}, ${`id":${id}`}) > 0
            and ${idempotencyKeys.body} is json object
          then jsonb_path_exists(${idempotencyKeys.body}::jsonb, ${theirs}::jsonpath) end`,
    ),
  );
};
