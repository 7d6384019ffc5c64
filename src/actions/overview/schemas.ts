import * as z from 'zod';
import { StoreCurrency, Id, Instant } from '../../lib/schemas.ts';
import { Place } from '../../domain/affiliate/schemas.ts';
import { Order, StatusCounts } from '../../domain/order/schemas.ts';
import { PeriodFigures, TopProduct } from '../me/summary-schemas.ts';

const Figures = PeriodFigures.omit({ commission: true }).meta({
  id: 'OverviewFigures',
  examples: [{ lead: 3, sales: 2, revenue: 980_147 }],
});

/** Compared with the period before. */
const Compared = Figures.extend({
  before: Figures.describe(
    'The period before: the previous day, or the same number of days of last month.',
  ),
}).meta({
  id: 'ComparedFigures',
  examples: [
    { lead: 3, sales: 2, revenue: 980_147, before: { lead: 4, sales: 2, revenue: 700_000 } },
  ],
});

const count = z.int().meta({ examples: [2] });

const withScope = <T extends z.ZodType>(schema: T, scope: string, said: string) =>
  schema.nullable().describe(`${said} Null unless the key has \`${scope}\`.`);

const ToDo = z
  .object({
    confirmations: withScope(
      z
        .object({
          pending: count,
          oldest_at: Instant.nullable().meta({ examples: ['2026-03-10T09:00:00.000Z'] }),
        })
        .meta({ id: 'PendingConfirmations' }),
      'confirmations:read',
      'Payments to be reviewed, and the time since which the first of them waits.',
    ),
    risks: withScope(
      z
        .object({
          open: count,
          oldest_at: Instant.nullable().meta({ examples: ['2026-03-10T09:00:00.000Z'] }),
        })
        .meta({ id: 'OpenRisks' }),
      'risks:read',
      'Open risks, and the time at which the oldest was found.',
    ),
    webhooks: withScope(
      z
        .object({
          failing: count,
          longest_failing_id: Id.nullable().describe(
            'The webhook that has failed for the longest time.',
          ),
          paused: count,
        })
        .meta({ id: 'TroubledWebhooks' }),
      'webhooks:read',
      'Webhooks whose last attempt failed, and those that are paused.',
    ),
    unexpected_payments: withScope(count, 'payments:read', 'Open unexpected payments.'),
    refunds_failed: withScope(
      count,
      'payments:read',
      'Refunds that a payment provider could not pay, of deleted orders too: somebody has to pay them back by hand.',
    ),
    refunds_by_hand: withScope(
      count,
      'payments:read',
      'Refunds of the last 7 days that no provider pays, such as those of bank transfers: the store sends this money itself.',
    ),
    orders_without_code: withScope(
      count,
      'payments:read',
      'Orders that wait for a transfer without a unique code, although the store has them: no code was free. They are paid by their proof.',
    ),
    bank_mutations: withScope(
      count,
      'payments:read',
      'Open bank entries, including those that could not be read.',
    ),
    payouts_due: withScope(
      z.int().meta({ examples: [504_000] }),
      'commissions:read',
      'Payable commissions of all affiliates together, less what some owe after refunds, in the smallest unit of `currency`.',
    ),
    messages_failed: withScope(count, 'messages:read', 'Messages that could not be sent.'),
    reminders_failed: withScope(count, 'reminders:read', 'Reminders that could not be sent.'),
  })
  .meta({ id: 'ToDo' });

/** The missing parts of a store before it can sell, most important first. */
export const storeNeeds = ['currency', 'payment', 'sender', 'product'] as const;

const Day = Figures.extend({ date: z.iso.date().meta({ examples: ['2026-03-10'] }) }).meta({
  id: 'OverviewDay',
  examples: [{ date: '2026-03-10', lead: 3, sales: 2, revenue: 980_147 }],
});

export const Overview = z
  .object({
    currency: StoreCurrency,
    timezone: z
      .string()
      .describe("The store's time zone, in which days begin and end.")
      .meta({ examples: ['Asia/Jakarta'] }),
    missing: z
      .array(z.enum(storeNeeds))
      .describe(
        'What the store lacks before it can sell, the most important first. `currency`: nothing can be sold without one · `payment`: there is no bank account, no payment provider for the currency and no product with payment on delivery · `sender`: no sender of messages is set up, so buyers get no messages · `product`: none is published.',
      )
      .meta({ examples: [['sender']] }),
    to_do: ToDo,
    today: Figures,
    yesterday: Compared,
    this_month: Compared,
    all: Figures,
    days: z.array(Day).describe('The 30 days up to today, by the day on which orders were placed.'),
    orders_by_status: StatusCounts,
    recent_orders: z.array(Order).max(10).describe('Newest first.'),
    cancel_reasons: withScope(
      z
        .array(
          z
            .object({
              reason: z.string().meta({ examples: ['too expensive'] }),
              subscriptions: count,
            })
            .meta({ id: 'CancelReason' }),
        )
        .max(10),
      'subscriptions:read',
      'Reasons for which subscriptions were cancelled in the last 30 days, the most frequent first.',
    ),
    top_products: z.array(TopProduct).max(10).describe('Highest revenue of those 30 days first.'),
    top_affiliates: withScope(
      z.array(Place).max(10),
      'affiliates:read',
      'Highest revenue of those 30 days first.',
    ),
  })
  .meta({ id: 'Overview', description: 'Amounts are in the smallest unit of `currency`.' });
export type Overview = z.output<typeof Overview>;
