import { type SQL, sql } from 'drizzle-orm';
import type { UnexpectedReason } from '../domain/payment/settlement.ts';
import type { RenewalOrder } from '../domain/subscription/rules.ts';
import type { FigureValues, NoticeCounts, OrderFacts } from '../domain/message/facts.ts';
import type { PauseReason } from '../domain/message/texts/shape.ts';
import { type Argument, instantOf, raw } from '../kernel/database/statements.ts';
import type { MessageKind, TemplateKind, TemplateMedium } from '../schema/lists.ts';
import type { SubscriptionColumns } from '../schema/subscriptions.ts';
import { findTemplate } from './message-templates.ts';
import { findDecidingRenewal } from './order-chains.ts';
import { findOrder } from './orders.ts';
import { findSessions } from './payment-sessions.ts';
import { findFormOf } from './purchase-forms.ts';
import { dueOf, findReminder, isAwaited, occurrenceOf } from './reminders.ts';
import { findSettings } from './settings.ts';
import { renewalFacts } from './subscriptions.ts';
import { findPerson } from './users.ts';

/** The records of a message, from the message's row or given by the caller. */
interface Subject {
  readonly kind: Argument<TemplateKind>;
  readonly medium: Argument<TemplateMedium>;
  readonly user_id: Argument<number> | null;
  readonly order_id: Argument<number> | null;
  readonly record_id: Argument<number> | null;
  readonly reminder_id: SQL | null;
  readonly message_id: Argument<number> | null;
}

export function subjectOf(message_id: Argument<number>): Subject {
  const column = (name: string) =>
    sql`(select ${sql.raw(`m.${name}`)} from messages m where m.id = ${message_id})`;
  return {
    kind: column('kind'),
    medium: column('medium'),
    user_id: column('user_id'),
    order_id: column('order_id'),
    record_id: column('record_id'),
    reminder_id: column('reminder_id'),
    message_id,
  };
}

/** Facts of a record besides its order's. Times have PostgreSQL's form in JSON. */
type RecordFacts = {
  readonly refund: {
    amount: number;
    reason: string | null;
    /** True if the buyer's bank took the money back: nothing is sent. */
    taken_back: boolean;
  } | null;
  readonly confirmation: { amount: number | null; reason: string | null } | null;
  readonly subscription: {
    product: string;
    end: string | null;
    renewal: NextPayment | null;
    /** True if the subscription was renewed, ended early or has another end. */
    outdated: boolean;
  } | null;
  readonly commission: {
    /** The sum of the sale and its adjustments. */
    amount: number;
    product: string;
    /** True if nothing is earned, or not yet. */
    outdated: boolean;
  } | null;
  readonly payout: { amount: number; method: string; reference: string } | null;
  readonly unexpected: { amount: number; reason: UnexpectedReason } | null;
  readonly webhook: { name: string; reason: PauseReason } | null;
  readonly sign_in: { at: string; browser: string; country: string } | null;
  readonly summary: NoticeCounts | null;
  readonly alert: FigureValues | null;
  readonly reminder: ReminderFacts | null;
  readonly access: OrderFacts['access'] | null;
  readonly licenses: OrderFacts['licenses'] | null;
};

/** The next payment of a subscription: an open order's total, or the facts that price another order. */
type NextPayment =
  | { readonly due: number }
  | (RenewalOrder & { readonly subscription: Pick<SubscriptionColumns, 'end_date'> });

interface ReminderFacts {
  readonly title: string;
  readonly content: string;
  /** Null if it is about an order. */
  readonly renewal: NextPayment | null;
  /** The due time of the subscription; null if it is about an order. */
  readonly end: string | null;
  readonly asks_payment: boolean;
  /** True if the subscription no longer has the end that the message is about. */
  readonly outdated: boolean;
}

/** The most pages and licences that a message names. */
const most = 50;

/** Joins the open renewal `w` of the subscription `r`. */
const openRenewal = sql`left join lateral (${findDecidingRenewal(sql`r.first_order_id`)}) w on true`;

/** The `NextPayment` of the subscription `r` of the product `p`; null if nothing is to be paid. */
const nextPayment = sql`case
  when r.cancelled_at is not null or r.paid >= r.payments or p.deleted_at is not null then null
  when w.waits then jsonb_build_object('due', w.grand_total)
  when w.waits is null then ${renewalFacts} end`;

// Facts of each record: an object from the row that the subject `n` names, or from rows of its
// order.

/** Takes facts from the row `r` of messages of these kinds. */
const ofRow = (kinds: readonly MessageKind[], fields: SQL, from: SQL) => sql`
  (select jsonb_build_object(${fields}) from ${from}
    where n.kind in ${[...kinds]} and r.id = n.record_id)`;

const refund = ofRow(
  ['order-refunded'],
  sql`'amount', r.amount, 'reason', r.reason, 'taken_back', exists (
        select from provider_refunds p join payment_sessions s on s.id = p.session_id
         where p.refund_id = r.id and (p.error = 'reversed' or p.made_there and s.dispute = 'lost'))`,
  sql`refunds r`,
);

const confirmation = ofRow(
  ['confirmation-rejected', 'new-confirmation'],
  sql`'amount', (r.detail ->> 'total')::bigint, 'reason', r.reject_reason`,
  sql`confirmations r`,
);

const subscription = ofRow(
  ['subscription-ending', 'subscription-ended', 'subscription-cancelled', 'payment-overdue'],
  sql`'product', p.title, 'end', case when r.status <> 'paused' then r.end_date end,
      'renewal', ${nextPayment},
      'outdated', case n.kind
        when 'subscription-ended' then r.status <> 'expired' or w.waits is false
        when 'subscription-cancelled' then r.cancelled_at is null
        when 'payment-overdue'
        then r.status <> 'active' or r.announced_due is distinct from r.next_due
        else r.status <> 'active' or r.announced_end is distinct from r.end_date
      end`,
  sql`subscriptions r join products p on p.id = r.product_id ${openRenewal}`,
);

const commission = ofRow(
  ['commission-earned'],
  sql`'amount', e.amount, 'product', coalesce(o.product_title, p.title),
      'outdated', r.status <> 'added' or e.amount <= 0`,
  sql`commissions r join orders o on o.id = r.order_id join products p on p.id = r.product_id
      cross join lateral (select coalesce(sum(c.commission), 0) as amount from commissions c
        where c.order_id = r.order_id and r.id in (c.id, c.parent_id) and c.status <> 'cancelled') e`,
);

const payout = ofRow(
  ['commission-paid'],
  sql`'amount', r.amount, 'method', r.method, 'reference', r.reference`,
  sql`payouts r`,
);

const unexpected = ofRow(
  ['unexpected-payment'],
  sql`'amount', r.amount, 'reason', r.reason`,
  sql`unexpected_payments r`,
);

const webhook = ofRow(
  ['webhook-paused'],
  sql`'name', r.name, 'reason', r.paused_reason`,
  sql`webhooks r`,
);

const signIn = ofRow(
  ['signed-in'],
  sql`'at', r.authenticated_at, 'browser', r.user_agent, 'country', r.country`,
  sql`console_sessions r`,
);

/** The number of notices by kind, for a summary; otherwise null. */
const summary = sql`
  (select jsonb_object_agg(g.kind, g.total)
     from (select m.kind, count(*) as total from messages m
            where n.kind = 'seller-summary' and m.gathered_in = n.message_id group by m.kind) g)`;

/** The figures that were out of order at the last check. */
const alert = sql`
  (select jsonb_object_agg(t.key, t.value -> 'value')
     from store_mark m, jsonb_each(m.troubles) t
    where n.kind = 'store-alert' and (t.value ->> 'at')::timestamptz >= m.checked_at)`;

const reminder = sql`
  (select jsonb_build_object(
            'title', m.title, 'content', m.content, 'asks_payment', m.asks_payment,
            'renewal', case m.reminder_type when 'recurring' then ${nextPayment} end,
            'end', ${dueOf(sql`r`)},
            'outdated', m.reminder_type = 'recurring'
              and (${isAwaited(sql`r`)} and ${occurrenceOf(dueOf(sql`r`))} = m.occurrence) is not true)
     from reminders m
     left join orders o on o.id = m.order_id
     left join products p on p.id = o.product_id
     left join subscriptions r on r.id = m.subscription_id
     ${openRenewal}
    where m.id = n.reminder_id)`;

/** The first rows `l`, in the order of `l.place`, as `Listed`; null without rows. */
const listed = (item: SQL, rows: SQL) => sql`
  (select jsonb_build_object('shown', jsonb_agg(${item} order by l.place),
                             'left', max(l.total) - count(*))
     from (${rows} order by place limit ${most}) l
   having count(*) > 0)`;

/** The pages that a completed order opens at once. */
const accessAt = (now: Argument<Date>) =>
  listed(
    sql`jsonb_build_object('title', l.title, 'url', l.url)`,
    sql`select c.id as place, c.title, c.url, count(*) over () as total
          from orders o join access_content c
            on c.product_ids @> array[o.product_id] and c.status = 'publish'
           and c.match = 'any' and c.drip_day = 0
           and coalesce(c.release_at <= ${instantOf(now)}::timestamptz, true)
         where o.id = n.order_id and n.kind = 'order-completed'`,
  );

const licenses = listed(
  sql`l.code`,
  sql`select l.code, l.ordinal as place, count(*) over () as total from licenses l
       where l.order_id = n.order_id and l.status <> 'inactive' and n.kind = 'order-completed'`,
);

const findRecord = (
  { kind, order_id, record_id, reminder_id, message_id }: Subject,
  now: Argument<Date>,
) =>
  raw<RecordFacts>(sql`
    with n as (
      select ${kind}::text as kind, ${order_id}::bigint as order_id,
             ${record_id}::bigint as record_id, ${reminder_id}::bigint as reminder_id,
             ${message_id}::bigint as message_id
    )
    select ${refund} as refund, ${confirmation} as confirmation, ${subscription} as subscription,
           ${commission} as commission, ${payout} as payout, ${unexpected} as unexpected,
           ${webhook} as webhook, ${signIn} as sign_in, ${summary} as summary, ${alert} as alert, ${reminder} as reminder, ${accessAt(now)} as access,
           ${licenses} as licenses
      from n`);

/** Every fact of a message, read by index only. */
export const loadFacts = (subject: Subject, now: Argument<Date>) => ({
  settings: findSettings(),
  templates: findTemplate(subject),
  user: findPerson(subject.user_id),
  order: findOrder(subject.order_id ?? 0),
  form: findFormOf(subject.order_id ?? 0),
  sessions: findSessions(subject.order_id ?? 0),
  record: findRecord(subject, now),
  reminder: findReminder(subject.reminder_id ?? 0),
});
