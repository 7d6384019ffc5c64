import type * as z from 'zod';
import type { OrderColumns } from '../../src/schema/orders.ts';
import type { CommissionColumns } from '../../src/schema/commissions.ts';
import { type CouponRow, newCoupon } from '../../src/domain/coupon/rules.ts';
import { CouponCreate } from '../../src/domain/coupon/schemas.ts';
import { newGroup } from '../../src/domain/group/rules.ts';
import { UserGroupCreate } from '../../src/domain/group/schemas.ts';
import { type ProductRow, newProduct } from '../../src/domain/product/rules.ts';
import { ProductCreate } from '../../src/domain/product/schemas.ts';
import type { Person } from '../../src/domain/user/rules.ts';

// Rows as the database holds them, for rules that are tested without one.

export const now = new Date('2026-03-10T09:00:00.000Z');
export const at = now.toISOString();

export const later = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();

const kept = { created_at: at, updated_at: at, version: 1 };

export const product = (
  fields: Partial<z.input<typeof ProductCreate>> = {},
): ProductRow['product'] => {
  const input = ProductCreate.parse({ title: 'Course', price: 10_000, ...fields });
  return newProduct(input, 1, 'USD', now).product;
};

export const coupon = (
  fields: Partial<z.input<typeof CouponCreate>> = {},
  parent?: CouponRow,
): CouponRow =>
  newCoupon(CouponCreate.parse({ code: 'SALE', ...fields }), 1, parent?.coupon ?? null, now);

export const copy = (template = coupon(), fields: object = {}) => {
  const row = coupon({}, template);
  return { ...row, coupon: { ...row.coupon, user_id: 9, coupon_parent_id: 1, ...fields } };
};

export const group = (fields: Partial<z.input<typeof UserGroupCreate>> = {}) =>
  newGroup(UserGroupCreate.parse({ name: 'VIP', ...fields }), 7, now);

export const person = (fields: Partial<Person> = {}): Person => ({
  id: 4,
  email: 'bo@mail.example',
  phone: '',
  first_name: '',
  last_name: '',
  display_name: 'Bo',
  address: '',
  postal_code: '',
  country: '',
  language: null,
  group_id: null,
  affiliate_id: null,
  bank_info: '',
  bank_account: null,
  bank_changed_at: null,
  roles: ['affiliate'],
  staff_role_id: null,
  status: 'active',
  meta: {},
  sessions_valid_after: null,
  group: null,
  ...kept,
  ...fields,
});

/** Agreed terms without tax, shipping or coupon; or with an inclusive tax in per cent. */
export const agreed = (included = 0): OrderColumns['agreed'] => ({
  tax: { enabled: included > 0, rate: included, inclusive: included > 0 },
  shipping: null,
  coupon: null,
  plan: null,
});

export const order = (fields: Partial<OrderColumns> = {}): OrderColumns => ({
  id: 100,
  number: '100',
  order_parent_id: null,
  product_id: 1,
  product_title: 'Course',
  user_id: 4,
  affiliate_id: 11,
  coupon_id: null,
  coupon_code: null,
  quantity: 1,
  type: 'regular',
  status: 'on-hold',
  payment_gateway: 'manual',
  currency: 'USD',
  unit_price: 10_000,
  subtotal: 10_000,
  variant_total: 0,
  signup_fee: 0,
  discount_total: 0,
  shipping_total: 0,
  fee_total: 0,
  unique_code: 0,
  tax_total: 0,
  adjustment_total: 0,
  grand_total: 10_000,
  refunded_total: 0,
  variants: [],
  agreed: agreed(),
  shipping: null,
  attribution: null,
  stock_counters: [],
  note: null,
  meta: {},
  paid_at: null,
  completed_at: null,
  cancelled_at: null,
  refunded_at: null,
  expires_at: null,
  deleted_at: null,
  ...kept,
  ...fields,
});

/** The seller's commission from that order: 20 per cent. */
export const sale = (fields: Partial<CommissionColumns> = {}): CommissionColumns => ({
  id: 1,
  order_id: 100,
  product_id: 1,
  affiliate_id: 11,
  buyer_id: 4,
  tier: 1,
  kind: 'sale',
  commission: 2000,
  currency: 'USD',
  base_amount: 10_000,
  rate_type: 'percentage',
  rate: 20,
  rate_source: 'product',
  status: 'pending',
  cancellation: null,
  hold_until: null,
  paid_at: null,
  payout_id: null,
  payout_line_id: null,
  flags: [],
  held: false,
  parent_id: null,
  note: null,
  deleted_at: null,
  ...kept,
  ...fields,
});
