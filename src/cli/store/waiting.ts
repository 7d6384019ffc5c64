import type { Client } from 'pg';

/** The error of what waited at a backup and was not sent again after its restore. */
const stoppedByRestore = 'store_restored';

const nextVersion = 'updated_at = now(), version = version + 1';

const stopRefunds = `
  with stopped as (
    update provider_refunds
       set state = 'failed', error = '${stoppedByRestore}', due_at = null, ${nextVersion}
     where state = 'requested' and created_at < $1 returning session_id, unexpected_id),
  to_check as (
    update payment_sessions set check_at = now(), ${nextVersion}
     where id in (select session_id from stopped))
  update unexpected_payments
     set status = 'open', resolved_at = null, resolved_by_type = null, resolved_by = null, ${nextVersion}
   where status = 'refunded' and id in (select unexpected_id from stopped)`;

const stopMessages = `
  update messages
     set status = 'cancelled', last_error = '${stoppedByRestore}', begun_at = null, batch = null,
         lease_token = null, ${nextVersion}
   where status = 'queued' and created_at < $1`;

const stopReminders = `
  update reminders set status = 'cancelled', last_error = '${stoppedByRestore}', ${nextVersion}
   where (status = 'sending' or status = 'pending' and scheduled_at <= now()) and created_at < $1`;

const stopPayoutNotices = `
  update payout_lines set tell_at = null
   where tell_at <= now() and run_id in (select id from payout_runs where confirmed_at < $1)`;

const stopSubscriptionNotices = `
  update subscriptions
     set announced_end = case when end_date <= now() + interval '72 hours' then end_date else announced_end end,
         announced_due = case when next_due <= now() then next_due else announced_due end
   where status = 'active' and (end_date <= now() + interval '72 hours' or next_due <= now())
     and created_at < $1`;

/** Gives a week to enter payments that came after the backup: their orders and accounts would end unpaid. */
const postponeOrders = `
  update orders set expires_at = now() + interval '7 days'
   where status = 'on-hold' and expires_at < now() + interval '7 days' and created_at < $1`;

const postponeAccounts = `
  update new_buyers set created_at = now() - interval '83 days'
   where created_at < least(now() - interval '83 days', $1)`;

/**
 * Stops refunds, messages, notices and due reminders that waited at a backup or fell due afterwards: the previous store may
 * have sent them, or people settled them. Refunds fail; their payments are looked up, and refunds that the provider made
 * succeed. Postpones the end of unpaid orders and new accounts. Orders and subscriptions keep their version: nobody changed
 * them.
 * @param readAt the time at which the backup was read: later rows are of the restored store, and stay
 */
export async function stopWaiting(restored: Client, readAt: string): Promise<void> {
  for (const statement of [
    ...[stopRefunds, stopMessages, stopReminders, stopPayoutNotices, stopSubscriptionNotices],
    ...[postponeOrders, postponeAccounts],
  ])
    await restored.query(statement, [readAt]);
}

/** Names the orders whose refunds a restore stopped and nobody has settled since, in at most one line. */
export async function stoppedRefundLines(restored: Client): Promise<string[]> {
  const { rows } = await restored.query<{ order_id: string }>(
    `select distinct s.order_id from provider_refunds p join payment_sessions s on s.id = p.session_id
      left join unexpected_payments u on u.id = p.unexpected_id
      where p.state = 'failed' and p.error = '${stoppedByRestore}' and p.paid_by_hand_at is null
        and coalesce(u.status, 'open') = 'open'
      order by 1`,
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ order_id }) => order_id).join(', ');
  return [
    `Refunds that waited at the backup were not sent, and count as failed (order ${ids}). Look each one up at its provider. If it is not there, refund it there, or by hand (docs/backups.md).`,
  ];
}
