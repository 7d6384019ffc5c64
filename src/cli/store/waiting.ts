import type { Client } from 'pg';

const changed = 'updated_at = now(), version = version + 1';

const stopRefunds = `
  with stopped as (
    update provider_refunds
       set state = 'failed', error = 'store_restored', due_at = null, ${changed}
     where state = 'requested' returning session_id, unexpected_id),
  looked_up as (
    update payment_sessions set check_at = now(), ${changed}
     where id in (select session_id from stopped))
  update unexpected_payments
     set status = 'open', resolved_at = null, resolved_by_type = null, resolved_by = null, ${changed}
   where status = 'refunded' and id in (select unexpected_id from stopped)`;

const stopMessages = `
  update messages
     set status = 'cancelled', last_error = 'store_restored', begun_at = null, batch = null,
         lease_token = null, ${changed}
   where status = 'queued'`;

const stopReminders = `
  update reminders set status = 'cancelled', last_error = 'store_restored', ${changed}
   where status = 'sending' or status = 'pending' and scheduled_at <= now()`;

/**
 * Stops refunds, messages and reminders that waited at a backup. After it, the previous store may have sent them, and
 * people may have paid or ended them another way. The refunds count as failed. Their payments are looked up, and those
 * that the provider has made succeed.
 */
export async function stopWaiting(restored: Client): Promise<void> {
  await restored.query(stopRefunds);
  await restored.query(stopMessages);
  await restored.query(stopReminders);
}

/** Names the orders whose refunds a restore stopped and nobody has settled since, in at most one line. */
export async function stoppedText(restored: Client): Promise<string[]> {
  const { rows } = await restored.query<{ order_id: string }>(
    `select distinct s.order_id from provider_refunds p join payment_sessions s on s.id = p.session_id
      where p.state = 'failed' and p.error = 'store_restored' and p.paid_by_hand_at is null
      order by 1`,
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ order_id }) => order_id).join(', ');
  return [
    `Refunds that waited at the backup were not sent, and count as failed (order ${ids}). Look each one up at its provider. If it is not there, refund it there, or by hand (docs/backups.md).`,
  ];
}
