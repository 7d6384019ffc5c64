import { Refused } from './refusals.ts';
import { type refundForm, checkStep, type sessionForm } from './forms.ts';

export interface Session {
  readonly object: 'checkout.session';
  readonly id: string;
  readonly reference: string;
  readonly created: number;
  readonly form: ReturnType<typeof sessionForm>;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount: number;
  currency: string;
  intent: Intent | null;
}

/** A PaymentIntent and its successful charge. */
export interface Intent {
  readonly id: string;
  readonly charge: string;
  status: 'processing' | 'succeeded' | 'requires_payment_method';
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
}

export interface Refund {
  readonly object: 'refund';
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly metadata: Readonly<Record<string, string>>;
  status: 'pending' | 'succeeded' | 'failed';
}

export interface Dispute {
  readonly object: 'dispute';
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  status: 'needs_response' | 'won' | 'lost';
}

/** Sums up the refunds of a session that didn't fail. */
export const refundedOf = ({ intent }: Session): number =>
  (intent?.refunds ?? [])
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);

/** Makes a refund, if the payment allows it: docs.stripe.com/api/refunds/create. */
export function newRefund(
  session: Session,
  id: string,
  { amount, metadata }: Pick<ReturnType<typeof refundForm>, 'amount' | 'metadata'>,
  status: Refund['status'],
): Refund {
  const { intent, currency } = session;
  if (intent?.status !== 'succeeded') {
    throw new Refused('This PaymentIntent does not have a successful charge to refund.');
  }
  if (intent.disputes.some(({ status }) => status !== 'won')) {
    const text = `Charge ${intent.charge} has been charged back; cannot issue a refund.`;
    throw new Refused(text, { code: 'charge_disputed' });
  }
  const left = session.amount - refundedOf(session);
  if (left === 0) {
    const text = `Charge ${intent.charge} has already been refunded.`;
    throw new Refused(text, { code: 'charge_already_refunded' });
  }
  checkStep(amount, currency);
  if (amount > left) {
    const text = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`;
    throw new Refused(text, { param: 'amount' });
  }
  const { id: payment_intent, charge } = intent;
  const refund = { id, amount, currency, charge, payment_intent, metadata, status };
  return { object: 'refund', ...refund };
}

/** A session in Stripe's form, with the requested expanded fields: docs.stripe.com/api/expanding_objects. */
export function shownSession(session: Session, expand: readonly string[] = []) {
  const { object, id, amount, currency, created, form, status, payment_status, intent } = session;
  const { client_reference_id, customer_email, success_url, cancel_url, metadata } = form;
  for (const path of expand) {
    if (path === 'payment_intent' || path === 'payment_intent.latest_charge') continue;
    throw new Refused(`This property cannot be expanded (${path}).`);
  }
  const shown = intent && (expand.length > 0 ? shownIntent(session, intent, expand) : intent.id);
  return {
    id,
    object,
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url,
    client_reference_id,
    created,
    currency,
    customer_email,
    expires_at: form.expires_at,
    livemode: false,
    metadata,
    mode: 'payment',
    payment_intent: shown,
    payment_status,
    status,
    success_url,
    url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}` : null,
  };
}

function shownIntent(session: Session, intent: Intent, expand: readonly string[]) {
  const { id, status, charge } = intent;
  const hasCharge = status === 'succeeded';
  const shown = expand.includes('payment_intent.latest_charge') ? shownCharge(session) : charge;
  return {
    id,
    object: 'payment_intent',
    status,
    amount: session.amount,
    amount_received: hasCharge ? session.amount : 0,
    currency: session.currency,
    metadata: session.form.intent_metadata,
    latest_charge: hasCharge ? shown : null,
  };
}

/** The charge of a paid session, in Stripe's form. */
export function shownCharge(session: Session) {
  const refunded = refundedOf(session);
  return {
    id: session.intent?.charge,
    object: 'charge',
    amount: session.amount,
    amount_captured: session.amount,
    amount_refunded: refunded,
    captured: true,
    currency: session.currency,
    disputed: (session.intent?.disputes ?? []).length > 0,
    paid: true,
    payment_intent: session.intent?.id,
    refunded: refunded === session.amount,
    status: 'succeeded',
  };
}
