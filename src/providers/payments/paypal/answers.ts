import * as z from 'zod';
import { textUpTo } from '../../../lib/schemas.ts';
import { ProviderId } from '../../answers.ts';

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() });

export const Failure = z.object({
  name: textUpTo(100).optional(),
  error: textUpTo(100).optional(),
  details: z.array(z.object({ issue: textUpTo(100).optional() })).optional(),
});

const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** The value is a decimal number. */
const Money = z.object({ currency_code: textUpTo(3), value: textUpTo(32) });

export type Money = z.output<typeof Money>;

export const Link = z.object({ rel: textUpTo(100), href: textUpTo(5000) });

export const OpenedOrder = z.object({ id: ProviderId, links: z.array(Link) });

const Capture = z.object({
  id: ProviderId,
  status: z.enum(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED']),
  /** Only if the status is `PENDING` or `DECLINED`. */
  status_details: z.object({ reason: textUpTo(64).optional() }).nullish(),
  amount: Money,
});

export type Capture = z.output<typeof Capture>;

export const Refund = z.object({
  id: ProviderId,
  status: z.enum(['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED']),
  custom_id: textUpTo(127).nullish(),
  amount: Money,
  create_time: Moment.nullish(),
});

export const Order = z.object({
  status: z.enum(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
  purchase_units: z
    .array(
      z.object({
        payments: z
          .object({ captures: z.array(Capture).optional(), refunds: z.array(Refund).optional() })
          .optional(),
      }),
    )
    .min(1),
});

export type Order = z.output<typeof Order>;

/** The disputes of a transaction, without their outcome. */
export const Disputes = z.object({
  items: z.array(z.object({ dispute_id: ProviderId, status: textUpTo(255) })).optional(),
});

export const Dispute = z.object({
  create_time: Moment.nullish(),
  dispute_amount: Money,
  dispute_outcome: z
    .object({ outcome_code: textUpTo(255), amount_refunded: Money.optional() })
    .optional(),
});
