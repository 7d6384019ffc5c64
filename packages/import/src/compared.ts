import { shopManagerId } from '../../../src/exports/store.ts';
import type { Entity } from './mapped.ts';

export interface Compared {
  /** Columns that must be equal. */
  readonly columns: readonly string[];
  /**
   * Columns whose sum over all rows from one source row must be equal. A column that a source's query lacks isn't
   * compared: Sejoli stores the tax's percentage, not its amount.
   */
  readonly sums: readonly string[];
  /** A query of the store's rows: `id` and all of these columns. */
  readonly ours: string;
}

const month = (column: string) =>
  `to_char(${column} at time zone (select timezone from settings), 'YYYY-MM')`;

/**
 * The comparison of each entity. A source's query returns these columns with the store's values, and the report's id as
 * `id`. Nulls are equal. Times are compared by month in the store's zone (`month`) or to the second in UTC (`ends`:
 * `2026-01-31 08:00:00`).
 */
export const compared = {
  settings: {
    columns: ['timezone', 'currency', 'exponent'],
    sums: [],
    ours: 'select 1 as id, timezone, currency, currency_exponent as exponent from settings',
  },
  groups: { columns: [], sums: [], ours: 'select id from user_groups' },
  users: {
    columns: ['email', 'sponsor', 'group', 'roles'],
    sums: [],
    ours: `select id, email, affiliate_id as sponsor, group_id as "group",
                  array_to_string(array(
                    select role from unnest(roles) role
                     where role <> 'shop-manager' or staff_role_id = ${shopManagerId} order by 1), ' ') as roles
             from users`,
  },
  products: {
    columns: ['type', 'payment_type', 'deleted'],
    sums: ['amount'],
    ours: `select id, type, payment_type, (deleted_at is not null)::int as deleted, price as amount
             from products`,
  },
  coupons: {
    columns: ['code', 'status', 'parent', 'owner'],
    sums: ['uses'],
    ours: `select c.id, code, status, coupon_parent_id as parent, user_id as owner, used as uses
             from coupons c join coupon_usage on coupon_id = id`,
  },
  orders: {
    columns: ['status', 'type', 'product', 'buyer', 'affiliate', 'coupon', 'gateway', 'month'],
    sums: ['quantity', 'amount', 'tax', 'refunded'],
    ours: `select id, status, type, product_id as product, user_id as buyer, affiliate_id as affiliate,
                  coupon_id as coupon, payment_gateway as gateway, ${month('created_at')} as month,
                  quantity, grand_total as amount, tax_total as tax, refunded_total as refunded
             from orders`,
  },
  /** The term of each order of a chain, by the order's id. */
  subscriptions: {
    columns: ['chain', 'ends'],
    sums: [],
    ours: `select order_id as id, first_order_id as chain,
                  to_char(until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ends
             from subscription_terms`,
  },
  payouts: {
    columns: ['affiliate', 'status'],
    sums: ['amount'],
    ours: 'select id, affiliate_id as affiliate, status, amount from payouts',
  },
  commissions: {
    columns: ['order', 'affiliate', 'product', 'tier', 'status', 'paid', 'payout'],
    sums: ['amount'],
    ours: `select id, order_id as "order", affiliate_id as affiliate, product_id as product, tier, status,
                  (paid_at is not null)::int as paid, payout_id as payout, commission as amount
             from commissions`,
  },
  licenses: {
    columns: ['code', 'product', 'status', 'ends'],
    sums: ['activations'],
    ours: `select l.id, code, product_id as product, status,
                  to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ends,
                  (select count(*) from license_activations a where a.license_id = l.id) as activations
             from licenses l`,
  },
  confirmations: {
    columns: ['order'],
    sums: ['amount'],
    ours: `select id, order_id as "order", coalesce((detail ->> 'total')::bigint, 0) as amount
             from confirmations`,
  },
  content: { columns: [], sums: [], ours: 'select id from access_content' },
  'reminder-templates': { columns: [], sums: [], ours: 'select id from reminder_templates' },
  reminders: {
    columns: ['order'],
    sums: [],
    ours: 'select id, order_id as "order" from reminders',
  },
} as const satisfies Partial<Record<Entity, Compared>>;
