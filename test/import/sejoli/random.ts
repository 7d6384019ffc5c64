import { serialize } from 'php-serialize';
import { dice } from '../dice.ts';
import type { Table } from '../dump-writer.ts';
import { type Rows, commission, order, sejoliTables, timeOf, user } from './shop.ts';

type Row = Rows[string][number];

const never = '0000-00-00 00:00:00';

const statuses = [
  ...['on-hold', 'payment-confirm', 'in-progress', 'shipping', 'refunded', 'cancelled'],
  ...['completed', 'completed', 'completed'],
];

/** A shop of that many orders, about as many people and half as many commissions; equal for equal seeds. */
export function randomShop(size: number, seed = 7): Table[] {
  const roll = dice(seed);
  const people = Array.from({ length: Math.ceil(size * 0.95) }, (_, i) =>
    user(i + 1, {
      _affiliate_id: String(i < 3 ? 0 : 1 + roll(i)),
      ...(i % 7 === 0 ? { _user_group: '90' } : {}),
    }),
  );
  const made: Record<string, Row[]> = {
    sejolisa_orders: [],
    sejolisa_affiliates: [],
    sejolisa_licenses: [],
    sejolisa_subscriptions: [],
    sejolisa_confirmations: [],
    sejolisa_coupons: [template],
  };
  const add = (table: string, row: Row) => made[table]?.push(row);
  const firsts: Row[] = [];
  for (let id = 1; id <= size; id++) {
    const status = statuses[roll(statuses.length)] ?? 'completed';
    const affiliate_id = roll(3) > 0 ? 1 + roll(people.length) : 0;
    const base = { user_id: 1 + roll(people.length), affiliate_id, status };
    const code = { manual: { unique_code: 1 + (id % 999) } };
    const placed = [shirtOrder, membershipOrder, courseOrder, courseOrder][roll(4)] ?? courseOrder;
    const row = placed(id, base, code, roll, firsts);
    add('sejolisa_orders', row);
    if (row['product_id'] === 102) add('sejolisa_subscriptions', termOf(row, roll));
    if (row['product_id'] === 101 && status === 'completed')
      for (let use = 0; use <= roll(3); use++)
        add('sejolisa_licenses', licenseOf(row, made['sejolisa_licenses']?.length ?? 0, use));
    if (status === 'payment-confirm')
      add('sejolisa_confirmations', {
        ID: id,
        created_at: row['created_at'] ?? null,
        order_id: id,
        product_id: row['product_id'] ?? null,
        user_id: 0,
        detail: serialize({ sender: 'A', total: row['grand_total'], proof: '' }),
      });
    if (affiliate_id > 0)
      add(
        'sejolisa_affiliates',
        commission(id, {
          order_id: id,
          affiliate_id,
          product_id: row['product_id'] ?? null,
          commission: '20000.00',
          status: ['pending', 'added', 'cancelled'][roll(3)] ?? 'added',
          paid_status: roll(2),
        }),
      );
  }
  return sejoliTables(people, made);
}

const template: Row = {
  ID: 1,
  created_at: timeOf(0),
  updated_at: timeOf(0),
  deleted_at: never,
  user_id: 0,
  coupon_parent_id: 0,
  code: 'HEMAT',
  rule: serialize({ use_by_affiliate: true, limit_affiliate_coupon: 0, max_discount: 0 }),
  discount: serialize({ value: 10_000, type: 'fixed', usage: 'total', free_shipping: false }),
  usage: 0,
  limit_use: 0,
  limit_date: null,
  status: 'active',
};

type Roll = (sides: number) => number;
type Code = { readonly manual: { readonly unique_code: number } };

const codeOf = ({ manual }: Code) => manual.unique_code;

const courseOrder = (id: number, base: Row, code: Code): Row =>
  order(id, { ...base, grand_total: `${350_000 + codeOf(code)}.00` }, code);

function shirtOrder(id: number, base: Row, code: Code, roll: Roll): Row {
  const quantity = 1 + roll(3);
  const discount = roll(2) * 10_000;
  const goods = 135_000 * quantity;
  const tax = Math.round((goods - discount) * 0.11);
  return order(
    id,
    {
      ...base,
      product_id: 103,
      quantity,
      coupon_id: discount > 0 ? 1 : 0,
      grand_total: `${goods - discount + tax + 20_000 + codeOf(code)}.00`,
    },
    {
      ...code,
      ppn: 11,
      variants: [{ type: 'Size', label: 'XL', raw_price: 15_000, weight: 0 }],
      shipping_data: { courier: 'JNE', service: 'REG', cost: 20_000, receiver: 'X', address: 'Jl' },
      ...(discount > 0 ? { coupon: { coupon: 'HEMAT', discount } } : {}),
    },
  );
}

function membershipOrder(id: number, base: Row, code: Code, roll: Roll, firsts: Row[]): Row {
  const first = roll(2) > 0 ? firsts[roll(Math.max(1, firsts.length))] : undefined;
  const price = first ? 100_000 : 150_000;
  const row = order(
    id,
    {
      ...base,
      product_id: 102,
      user_id: first?.['user_id'] ?? base['user_id'] ?? null,
      type: first ? 'subscription-regular' : 'subscription-signup',
      order_parent_id: first?.['ID'] ?? 0,
      grand_total: `${price + codeOf(code)}.00`,
    },
    code,
  );
  if (!first) firsts.push(row);
  return row;
}

const termOf = (row: Row, roll: Roll): Row => ({
  ID: row['ID'] ?? null,
  created_at: row['created_at'] ?? null,
  updated_at: never,
  deleted_at: never,
  order_id: row['ID'] ?? null,
  order_parent_id: row['order_parent_id'] ?? null,
  user_id: row['user_id'] ?? null,
  product_id: 102,
  type: row['order_parent_id'] === 0 ? 'signup' : 'regular',
  end_date: timeOf(10_000 + Number(row['ID']) * 30 + 43_200 + roll(2) * 30_000_000),
  status: row['status'] === 'completed' ? 'active' : 'pending',
});

const licenseOf = (row: Row, written: number, use: number): Row => ({
  ID: written + 1,
  created_at: row['created_at'] ?? null,
  updated_at: never,
  deleted_at: never,
  order_id: row['ID'] ?? null,
  user_id: row['user_id'] ?? null,
  product_id: 101,
  code: `${Number(row['ID']).toString().padStart(10, '0')}-AB1CD-IOLU9`,
  string: use > 0 ? `site${use}.example` : null,
  status: 'active',
  meta_data: '',
});
