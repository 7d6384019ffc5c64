import * as z from 'zod';
import { unitsOf } from '../../lib/money.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { ProviderId } from '../answers.ts';
import { PageAddress } from '../pages.ts';
import type { Attempt, Payment, RefundProgress } from './gateway.ts';
import { unpaid } from './unpaid.ts';

/** An amount of whole rupiah as a decimal number: `"10000.00"`. */
const Rupiah = z.coerce.string().transform((text, context) => {
  const rupiah = unitsOf(text, 0);
  if (rupiah !== undefined) return rupiah;
  context.addIssue({ code: 'custom', message: 'must be whole rupiah' });
  return z.NEVER;
});

/**
 * The answer to opening a page.
 * @param origin of Snap
 */
export const SnapPage = (origin: string) =>
  z.object({ token: ProviderId, redirect_url: PageAddress(origin) });

/** The answer to a refused request to Snap: `transaction_details.order_id is required`. */
export const SnapRefusal = z.object({ error_messages: z.array(z.string()).min(1) });

/** The fields of every Core API answer, whatever its HTTP status. */
export const Coded = z.object({ status_code: z.coerce.number().int().min(100).max(599) });

const RefundId = z.union([z.int(), textUpTo(255)]).transform(String);

const Refund = z.object({
  refund_key: z.string().nullish(),
  refund_chargeback_id: RefundId,
  bank_confirmed_at: z.string().nullish(),
});

/** The answer to a refund request, accepted or denied. */
export const AskedRefund = z.object({ refund_chargeback_id: RefundId });

const statuses = [
  ...['authorize', 'pending', 'capture', 'settlement', 'deny', 'cancel', 'expire', 'failure'],
  ...['refund', 'partial_refund', 'chargeback', 'partial_chargeback'],
] as const;

/** The transaction on a page, of the buyer's last chosen method. */
export const Transaction = Coded.extend({
  transaction_id: ProviderId,
  order_id: z.string(),
  // DANA sends its statuses in upper case.
  transaction_status: z.string().toLowerCase().pipe(z.enum(statuses)),
  /** Methods without a fraud check leave this out. */
  fraud_status: z.string().toLowerCase().nullish(),
  gross_amount: Rupiah,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('IDR'),
  refund_amount: Rupiah.optional(),
  refunds: z.array(Refund).default([]),
});

export type Transaction = z.output<typeof Transaction>;

export const Notification = z.object({
  order_id: ProviderId,
  status_code: z.string(),
  gross_amount: z.string(),
  signature_key: z.string().length(128),
  transaction_id: ProviderId,
});

/** True once a payment's page has closed. */
const isOver = ({ expires_at }: Attempt, now: Date) => expires_at <= now.toISOString();

/** A payment without a chosen method. No notification reports that its page closed. */
export const untouched = (attempt: Attempt, now: Date): Payment =>
  unpaid(isOver(attempt, now) ? 'expired' : 'open');

/** @param ownId true if only its own id finds the transaction, so that the id must be stored */
export function paymentOf(
  transaction: Transaction,
  ownId: boolean,
  attempt: Attempt,
  now: Date,
): Payment {
  const { transaction_id, transaction_status, gross_amount, currency } = transaction;
  const state = stateOf(transaction, isOver(attempt, now));
  const isPaid = state === 'paid';
  return {
    state,
    paid: isPaid ? { amount: gross_amount, currency } : null,
    payment_ref: isPaid || ownId ? transaction_id : null,
    refunded: isPaid ? givenBack(transaction) : 0,
    // The bank's questions before its decision come by e-mail; no status shows them.
    dispute: transaction_status.endsWith('chargeback') ? 'lost' : 'none',
  };
}

/**
 * A settlement can only become denied, and a captured card cancelled (docs.midtrans.com/docs/transaction-status-cycle).
 * Other tries on the page say nothing about the money.
 */
export const isReversal = ({ transaction_id, transaction_status }: Transaction, attempt: Attempt) =>
  transaction_id === attempt.payment_ref && ['deny', 'cancel'].includes(transaction_status);

/** @param isOver true once the page has closed */
export function stateOf(
  { transaction_status, fraud_status, status_code }: Transaction,
  isOver: boolean,
): Payment['state'] {
  switch (transaction_status) {
    case 'capture':
    case 'settlement':
      return status_code === 200 && (fraud_status ?? 'accept') === 'accept' ? 'paid' : 'pending';
    case 'refund':
    case 'partial_refund':
    case 'chargeback':
    case 'partial_chargeback':
      return 'paid';
    case 'authorize':
    case 'pending':
      return 'pending';
    case 'deny':
      // The page lets the buyer try again. A settlement that a bank reverses ends here too.
      return isOver ? 'failed' : 'open';
    case 'expire':
      return 'expired';
    case 'cancel':
      return 'cancelled';
    case 'failure':
      return 'failed';
  }
}

/** Adds up the refunds of a payment; DANA gives no amount for a full refund. */
function givenBack({ transaction_status, refund_amount, gross_amount }: Transaction): number {
  if (transaction_status === 'chargeback') return gross_amount;
  return refund_amount ?? (transaction_status === 'refund' ? gross_amount : 0);
}

export function progressOf(
  { transaction_status, refunds }: Transaction,
  key: string,
): RefundProgress | undefined {
  const refund = refunds.find(({ refund_key }) => refund_key === key);
  if (refund) {
    return {
      state: refund.bank_confirmed_at ? 'succeeded' : 'sent',
      provider_ref: refund.refund_chargeback_id,
    };
  }
  // Some payment methods list no refunds. Then all of them are done once the whole payment is refunded.
  const isDone = transaction_status === 'refund' && refunds.length === 0;
  return isDone ? { state: 'succeeded', provider_ref: null } : undefined;
}
