import { paymentEvent } from '../domain/payment/events.ts';
import { reopened } from '../domain/payment/settlement.ts';
import { refundEvent } from '../domain/refund/events.ts';
import { shownRefund } from '../domain/refund/rules.ts';
import { saveUnexpected } from '../queries/unexpected-payments.ts';
import type { RefundRow, UnexpectedRow } from '../schema/payments.ts';

interface FailedRefund {
  /** Undefined or null for the refund of an unexpected payment. */
  readonly refund: RefundRow | null | undefined;
  readonly unexpected: UnexpectedRow | null | undefined;
}

/** A failed refund raises an event, because somebody must pay it another way. Unexpected money is decided again. */
export function planFailedRefund({ refund, unexpected }: FailedRefund, now: Date) {
  if (unexpected?.status === 'refunded') {
    const open = reopened(unexpected, now);
    return {
      write: [saveUnexpected(unexpected, open)],
      events: [paymentEvent('payment.unexpected', open)],
    };
  }
  const events = refund ? [refundEvent('order.refund-failed', shownRefund(refund, 'failed'))] : [];
  return { write: [], events };
}
