import * as z from 'zod';
import { Id } from '../../lib/schemas.ts';
import { type OrderStatus, orderStatuses } from '../../schema/lists.ts';
import { Place } from '../../domain/affiliate/schemas.ts';
import { Order } from '../../domain/order/schemas.ts';

/** What a period came to. */
export const PeriodFigures = z
  .object({
    lead: z.int().describe('Orders placed.'),
    sales: z
      .int()
      .describe(
        'Of them those in progress, in shipping or completed: paid, or to be paid on delivery, which counts from when the order is in progress and before its money is in.',
      ),
    revenue: z
      .int()
      .describe(
        'The totals of `sales`, refunds taken off; what is still to be paid on delivery included.',
      ),
    commission: z
      .int()
      .describe('What orders that count as sales pay in commission, cancelled commissions aside.'),
  })
  .meta({
    id: 'PeriodFigures',
    examples: [{ lead: 3, sales: 2, revenue: 980_147, commission: 126_000 }],
  });
export type PeriodFigures = z.output<typeof PeriodFigures>;

/** What every summary has. */
const blocks = {
  currency: z.string(),
  timezone: z.string().describe('Whose days these are.'),
  today: PeriodFigures,
  yesterday: PeriodFigures,
  this_month: PeriodFigures,
  all: PeriodFigures,
  commission: z
    .object({
      pending: z.int().describe('Of orders that are not completed.'),
      unpaid: z.int().describe('Earned and not paid, held ones included.'),
      paid: z.int(),
      held: z.int().describe('Earned, within the hold period of the product.'),
    })
    .meta({ examples: [{ pending: 63_000, unpaid: 126_000, paid: 504_000, held: 63_000 }] }),
};

/** How many orders are where. */
const groups = z.object({ unpaid: z.int(), processing: z.int(), completed: z.int() });

const subscriptions = z.object({
  active: z.int(),
  expiring_7d: z.int().describe('Of them those that end within 7 days.'),
});

/** The start page of a member's app. */
export const HomeSummary = z
  .object({
    ...blocks,
    orders: groups.describe('Own purchases by status group.'),
    access_count: z.int().describe('Products the user has access to now.'),
    subscriptions,
    licenses_count: z.int().describe('Active licences.'),
    rank: z.int().nullable().describe('Among affiliates, by orders of all time; null without any.'),
    recent_orders: z.array(Order).max(5).describe('As buyer or affiliate, newest first.'),
  })
  .meta({
    id: 'HomeSummary',
    description:
      'The figures by period are of orders placed in it that count for the user as affiliate; their commission is what the user earns by paid ones, on any tier. Amounts are in the smallest unit of `currency`.',
  });
export type HomeSummary = z.output<typeof HomeSummary>;

const statuses = Object.fromEntries(orderStatuses.map((status) => [status, z.int()])) as Record<
  OrderStatus,
  z.ZodInt
>;

/** A product with what it brought. */
const TopProduct = z
  .object({
    product_id: Id,
    title: z.string(),
    orders: z.int(),
    quantity: z.int(),
    revenue: z.int(),
  })
  .meta({ id: 'TopProduct' });

/** The start page of an administrator's app. */
export const AdminSummary = z
  .object({
    ...blocks,
    orders: groups.describe('Orders by status group.'),
    orders_by_status: z.object(statuses),
    access_count: z.int().describe('Access grants that are live now.'),
    subscriptions,
    licenses_count: z.int().describe('Active licences.'),
    confirmations_pending: z.int(),
    payouts_due: z
      .int()
      .describe(
        'Payable commissions of all affiliates together: unpaid less held. Negative where later adjustments take back more than that.',
      ),
    webhooks_paused: z.int(),
    top_products: z.array(TopProduct).max(10).describe('By revenue of all time.'),
    top_affiliates: z.array(Place).max(10).describe('By revenue of all time.'),
    chart: z
      .object({
        labels: z.array(z.iso.date()),
        quantity: z.array(z.int()).describe('Items of the orders that count as `sales`.'),
        revenue: z.array(z.int()).describe('Of the same orders, refunds taken off.'),
      })
      .meta({
        description: 'Of 30 days up to today, by the day on which an order was placed.',
        examples: [
          { labels: ['2026-03-09', '2026-03-10'], quantity: [1, 2], revenue: [350_000, 630_147] },
        ],
      }),
    recent_orders: z.array(Order).max(5).describe('Newest first.'),
  })
  .meta({ id: 'AdminSummary', description: 'Amounts are in the smallest unit of `currency`.' });
export type AdminSummary = z.output<typeof AdminSummary>;
