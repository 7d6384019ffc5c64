import * as z from 'zod';
import { textUpTo } from '../../../lib/schemas.ts';

/** A Stripe id: at most 255 characters, as documented. */
const StripeId = textUpTo(255).min(1);

const Amount = z.int().min(0);

const Currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((code) => code.toUpperCase());

/** Any Stripe object. */
export const Named = z.object({ id: StripeId });

export const OpenedSession = (Page: z.ZodType<string>) =>
  z.object({
    id: StripeId,
    /** Null once nobody can pay on it any more. */
    url: Page.nullable(),
    /** Seconds since 1970. */
    expires_at: z.int().positive().max(253_402_300_799),
  });

export const Session = z.object({
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.enum(['unpaid', 'paid', 'no_payment_required']),
  amount_total: Amount,
  currency: Currency,
  payment_intent: z
    .object({
      id: StripeId,
      status: z.string(),
      /** Saves a look-up of refunds and disputes if there are none. */
      latest_charge: z
        .object({ amount_refunded: Amount, disputed: z.boolean() })
        .nullable()
        .catch(null),
    })
    .nullable(),
});
export type Session = z.output<typeof Session>;
export type Intent = NonNullable<Session['payment_intent']>;

export const Refund = z.object({
  id: StripeId,
  amount: Amount,
  status: z
    .enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled'])
    .nullable()
    .transform((status) => status ?? 'pending'),
  metadata: z.record(z.string(), z.string()).nullable(),
});
export type Refund = z.output<typeof Refund>;

export const Dispute = z.object({ id: StripeId, amount: Amount, status: z.string() });
export type Dispute = z.output<typeof Dispute>;

export const ErrorAnswer = z.object({
  error: z.object({ code: z.string().optional(), type: z.string() }),
});

/** The callback: a change of a session, or of a payment's charge, refund or dispute. */
export const Event = z.union([
  z
    .object({
      type: z.string().startsWith('checkout.session.'),
      data: z.object({ object: z.object({ id: StripeId }) }),
    })
    .transform(({ data }) => ({ provider_id: data.object.id })),
  z
    .object({
      type: z.string(),
      data: z.object({ object: z.object({ payment_intent: StripeId }) }),
    })
    .transform(({ data }) => ({ payment_ref: data.object.payment_intent })),
]);
