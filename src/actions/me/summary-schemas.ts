import * as z from 'zod';
import { StoreCurrency, Id } from '../../lib/schemas.ts';
import { Place } from '../../domain/affiliate/schemas.ts';
import { Order, StatusCounts } from '../../domain/order/schemas.ts';

export const PeriodFigures = z
  .object({
    lead: z.int().describe('Number of orders placed.'),
    sales: z
      .int()
      .describe(
        'Number of these orders that are in progress, in shipping or completed: paid, or to be paid on delivery.',
      ),
    revenue: z
      .int()
      .describe(
        'Totals of the orders counted as `sales`, less refunds, including what is still to be paid on delivery.',
      ),
    commission: z
      .int()
      .describe('Commissions on the orders counted as `sales`, without cancelled ones.'),
  })
  .meta({
    id: 'PeriodFigures',
    examples: [{ lead: 3, sales: 2, revenue: 980_147, commission: 126_000 }],
  });
export type PeriodFigures = z.output<typeof PeriodFigures>;

const blocks = {
  currency: StoreCurrency,
  timezone: z
    .string()
    .meta({ examples: ['Asia/Jakarta'] })
    .describe("The store's time zone, in which days begin and end."),
  today: PeriodFigures,
  yesterday: PeriodFigures,
  this_month: PeriodFigures,
  all: PeriodFigures,
  commission: z
    .object({
      pending: z.int().describe('From orders that are not completed yet.'),
      unpaid: z.int().describe('Earned but not paid yet, including held ones.'),
      paid: z.int(),
      held: z.int().describe("Earned, but still within the product's hold period."),
    })
    .meta({
      id: 'CommissionTotals',
      examples: [{ pending: 63_000, unpaid: 126_000, paid: 504_000, held: 63_000 }],
    }),
};

const groups = z
  .object({ unpaid: z.int(), processing: z.int(), completed: z.int() })
  .meta({ id: 'OrderTotals' });

const subscriptions = z
  .object({
    active: z.int(),
    expiring_7d: z.int().describe('Number of these that end within 7 days.'),
  })
  .meta({ id: 'SubscriptionTotals' });

/** The start page of a member's app. */
export const HomeSummary = z
  .object({
    ...blocks,
    orders: groups.describe("The user's purchases, by status group."),
    access_count: z.int().describe('Number of products the user has access to now.'),
    subscriptions,
    licenses_count: z.int().describe('Number of licences that are valid now.'),
    rank: z
      .int()
      .nullable()
      .describe(
        "The user's rank among affiliates by number of orders of all time; null without any.",
      ),
    recent_orders: z
      .array(Order)
      .max(5)
      .describe('The latest orders in which the user is the buyer or the affiliate, newest first.'),
  })
  .meta({
    id: 'HomeSummary',
    description:
      'A period covers the orders placed in it that count for the user as affiliate; its commission is what the user earns on paid ones, on any tier. Amounts are in the smallest unit of `currency`.',
  });
export type HomeSummary = z.output<typeof HomeSummary>;

export const TopProduct = z
  .object({
    product_id: Id,
    title: z.string(),
    orders: z.int(),
    quantity: z.int().describe('Items sold.'),
    revenue: z.int().describe('In the smallest unit of the currency, less refunds.'),
  })
  .meta({ id: 'TopProduct' });

/** The start page of an administrator's app. */
export const AdminSummary = z
  .object({
    ...blocks,
    orders: groups.describe('Number of orders by status group.'),
    orders_by_status: StatusCounts,
    access_count: z.int().describe('Number of access grants that are live now.'),
    subscriptions,
    licenses_count: z.int().describe('Number of licences with the status `active`.'),
    confirmations_pending: z.int(),
    payouts_due: z
      .int()
      .describe(
        'Payable commissions of all affiliates together: unpaid less held. Negative if later adjustments take back more than that.',
      ),
    webhooks_paused: z.int(),
    top_products: z.array(TopProduct).max(10).describe('Highest revenue of all time first.'),
    top_affiliates: z.array(Place).max(10).describe('Highest revenue of all time first.'),
    chart: z
      .object({
        labels: z.array(z.iso.date()),
        quantity: z.array(z.int()).describe('Items in the orders that count as `sales`.'),
        revenue: z.array(z.int()).describe('Revenue of the same orders, less refunds.'),
      })
      .meta({
        description: 'The 30 days up to today, by the day on which orders were placed.',
        examples: [
          { labels: ['2026-03-09', '2026-03-10'], quantity: [1, 2], revenue: [350_000, 630_147] },
        ],
      }),
    recent_orders: z.array(Order).max(5).describe('Newest first.'),
  })
  .meta({ id: 'AdminSummary', description: 'Amounts are in the smallest unit of `currency`.' });
export type AdminSummary = z.output<typeof AdminSummary>;
