import * as z from 'zod';
import { StoreCurrency, Id, Instant } from '../../lib/schemas.ts';
import { Place } from '../../domain/affiliate/schemas.ts';
import { Order, StatusCounts } from '../../domain/order/schemas.ts';
import { PeriodFigures, TopProduct } from '../me/summary-schemas.ts';

const Figures = PeriodFigures.omit({ commission: true }).meta({
  id: 'OverviewFigures',
  examples: [{ lead: 3, sales: 2, revenue: 980_147 }],
});

/** Figures beside those of the period before. */
const Compared = Figures.extend({
  before: Figures.describe(
    'The period before: another day, or as many days of last month as this month has by now.',
  ),
}).meta({
  id: 'ComparedFigures',
  examples: [
    { lead: 3, sales: 2, revenue: 980_147, before: { lead: 4, sales: 2, revenue: 700_000 } },
  ],
});

const count = z.int().meta({ examples: [2] });

const ToDo = z
  .object({
    confirmations: z
      .object({
        pending: count,
        oldest_at: Instant.nullable().meta({ examples: ['2026-03-10T09:00:00.000Z'] }),
      })
      .meta({ id: 'PendingConfirmations' })
      .nullable()
      .describe(
        'Payments to be reviewed, and since when the first of them waits. Null unless the key has `confirmations:read`.',
      ),
    webhooks: z
      .object({
        failing: count,
        longest_failing_id: Id.nullable().describe('The one that fails for the longest time.'),
        paused: count,
      })
      .meta({ id: 'TroubledWebhooks' })
      .nullable()
      .describe(
        'Webhooks whose last attempt failed, and those that are paused. Null unless the key has `webhooks:read`.',
      ),
    unexpected_payments: count
      .nullable()
      .describe('Open ones. Null unless the key has `payments:read`.'),
    refunds_failed: count
      .nullable()
      .describe(
        'Refunds that a payment provider could not pay, of deleted orders too: somebody has to pay them back by hand. Null unless the key has `payments:read`.',
      ),
    orders_without_code: count
      .nullable()
      .describe(
        'Orders that wait for a transfer without a unique code, although the store has them: no code was free. They are paid by their proof. Null unless the key has `payments:read`.',
      ),
    bank_mutations: count
      .nullable()
      .describe(
        'Open ones, those that could not be read included. Null unless the key has `payments:read`.',
      ),
    payouts_due: z
      .int()
      .meta({ examples: [504_000] })
      .nullable()
      .describe(
        'Payable commissions of all affiliates together, in the smallest unit of `currency`. Null unless the key has `commissions:read`.',
      ),
    messages_failed: count
      .nullable()
      .describe('Messages that could not be sent. Null unless the key has `messages:read`.'),
    reminders_failed: count
      .nullable()
      .describe('Reminders that could not be sent. Null unless the key has `reminders:read`.'),
  })
  .meta({ id: 'ToDo' });

/** A day of the store. */
const Day = Figures.extend({ date: z.iso.date().meta({ examples: ['2026-03-10'] }) }).meta({
  id: 'OverviewDay',
  examples: [{ date: '2026-03-10', lead: 3, sales: 2, revenue: 980_147 }],
});

/** What somebody who runs the store sees first. */
export const Overview = z
  .object({
    currency: StoreCurrency,
    timezone: z
      .string()
      .describe("The store's time zone, in which days begin and end.")
      .meta({ examples: ['Asia/Jakarta'] }),
    to_do: ToDo,
    today: Figures,
    yesterday: Compared,
    this_month: Compared,
    all: Figures,
    days: z.array(Day).describe('The 30 days up to today, by the day on which orders were placed.'),
    orders_by_status: StatusCounts,
    recent_orders: z.array(Order).max(10).describe('Newest first.'),
    top_products: z.array(TopProduct).max(10).describe('Highest revenue of those 30 days first.'),
    top_affiliates: z
      .array(Place)
      .max(10)
      .nullable()
      .describe(
        'Highest revenue of those 30 days first. Null unless the key has `affiliates:read`.',
      ),
  })
  .meta({ id: 'Overview', description: 'Amounts are in the smallest unit of `currency`.' });
export type Overview = z.output<typeof Overview>;
