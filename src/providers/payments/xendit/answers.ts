import * as z from 'zod';
import { textUpTo } from '../../../lib/schemas.ts';
import { ProviderId } from '../../answers.ts';

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

export const OpenedSession = (Page: z.ZodType<string>) =>
  z.object({ payment_session_id: ProviderId, payment_link_url: Page, expires_at: Moment });

export const Session = z.object({
  status: z.enum(['ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED']),
  /** In the currency's main unit, like all amounts in these answers. */
  amount: z.number(),
  currency: textUpTo(3),
  payment_id: ProviderId.nullish(),
  payment_request_id: ProviderId.nullish(),
});

export const PaidPayment = z.object({
  payment_request_id: ProviderId,
  status: z.enum(['PENDING', 'AUTHORIZED', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELED']),
  currency: textUpTo(3),
  request_amount: z.number(),
  captures: z.array(z.object({ capture_amount: z.number() })).nullish(),
});

export const Refund = z.object({
  id: ProviderId,
  reference_id: textUpTo(255).nullish(),
  amount: z.number(),
  status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED']),
});

export type Refund = z.output<typeof Refund>;

/** Lists, whose members are parsed one by one: members of other payments may be unreadable. */
export const Refunds = z.object({ data: z.array(z.unknown()), has_more: z.boolean().optional() });
/** Ids in a member of a list that name its payment. */
export const Owned = z.object({
  id: ProviderId.optional().catch(undefined),
  payment_request_id: ProviderId.nullish().catch(undefined),
  payment_id: ProviderId.nullish().catch(undefined),
});

export const Dispute = z.object({
  status: z.enum(['ACTION_REQUIRED', 'UNDER_REVIEW', 'WON', 'LOST']),
  /** The amounts, as decimal numbers. */
  amount: z.object({ initial: textUpTo(32), terminal: textUpTo(32).nullish() }),
});

export type Dispute = z.output<typeof Dispute>;

export const Disputes = z.object({ data: z.array(z.unknown()) });

export const Failure = z.object({ error_code: textUpTo(100) });
