import * as store from '../../../../src/exports/store.ts';
import { codeReasons, couponCodes, renamedCode } from '../coupon-codes.ts';
import { because, insertInto } from '../mapped.ts';
import { SaleValues } from '../sale-values.ts';
import type { PhpArray } from '../serialized.ts';
import {
  asArray,
  asText,
  entryOf,
  idOf,
  isStrangeId,
  isTruthy,
  localOf,
  phpArray,
  wholeOf,
} from '../values.ts';
import { type Context, type Plan, type StagedShop, eachRow } from './plan.ts';

type Row = Readonly<Record<string, string | null>>;

/** The shop's coupons, then the copies that affiliates made of them. */
const inTheirOrder = `
  select c.*, p.ID as parent_there, p.limit_use as parent_limit, exists (
           select 1 from sejolisa_coupons where coupon_parent_id = c.ID and ID <> c.ID) as has_copies
    from sejolisa_coupons c
    left join sejolisa_coupons p on p.ID = c.coupon_parent_id and c.coupon_parent_id <> c.ID
   order by p.ID is not null, cast(c.ID as integer)`;

export const couponsStep = eachRow({
  entity: 'coupons',
  table: 'sejolisa_coupons',
  query: inTheirOrder,
  reader(context) {
    const { staging, plan } = context;
    const uses = usesReader(staging);
    const codes = codesOf(staging, plan);
    return (row: Row, id) => {
      const code = codes.get(id) ?? '';
      const values = new SaleValues(plan.exponent);
      const terms = termsOf(row, values, plan);
      const usage = usageOf(row, terms.limit_use, uses(id));
      const isPossible = terms.isRead && values.isReadable;
      const reasons = [
        ...codeReasons(row['code'] ?? '', code),
        ...because({
          'value-impossible': isStrangeId(row['user_id']) || isStrangeId(row['coupon_parent_id']),
          'parent-missing': isOrphan(row),
        }),
        ...values.reasons,
        ...because({
          'unreadable-details': !terms.isRead,
          'switched-off': !isPossible || (usage.isOver && row['status'] === 'active'),
          'usable-again': usage.isUsableAgain,
          'status-mapped': !entryOf(statuses, row['status']),
          'uses-differ': usage.differs,
        }),
      ];
      const coupon = couponOf(row, context, {
        id,
        code,
        terms,
        isOn: isPossible && !usage.isOver,
      });
      return { rows: [coupon], reasons, detail: renamedCode(row['code'] ?? '', code) };
    };
  },
});

/** Tells if a coupon is a copy whose parent is gone. */
const isOrphan = (row: Row) =>
  idOf(row['coupon_parent_id']) !== null && idOf(row['parent_there']) === null;

/**
 * Compares the uses of a coupon with its limit, which a copy has from its parent. A coupon that is used up in the shop
 * alone is over, unless it has copies: they would be switched off with it, and count their own uses.
 * @param used its uses in the store
 */
function usageOf(row: Row & { readonly has_copies?: unknown }, own: number, used: number) {
  const said = wholeOf(row['usage'] ?? null) ?? 0;
  const isCopy = idOf(row['parent_there']) !== null;
  const limit = isCopy ? (wholeOf(row['parent_limit'] ?? null) ?? 0) : own;
  const isUsedUp = limit > used && said >= limit;
  const hasCopies = row.has_copies === 1;
  return {
    differs: used !== said,
    isOver: isUsedUp && !hasCopies,
    isUsableAgain: isUsedUp && hasCopies,
  };
}

function termsOf(row: Row, values: SaleValues, { timezone }: Plan) {
  const [discount, rule] = [discountOf(row, values), ruleOf(row, values)];
  return {
    discount: discount ?? store.noDiscount,
    rule: rule ?? store.noRule,
    isRead: discount !== undefined && rule !== undefined,
    limit_use: values.limit(row['limit_use']),
    limit_date: values.moment(row['limit_date'], (text) => localOf(text, timezone)),
  };
}

function couponOf(
  row: Row,
  { plan, now }: Context,
  read: { id: number; code: string; terms: ReturnType<typeof termsOf>; isOn: boolean },
) {
  const { isRead, ...terms } = read.terms;
  const at = (column: string) => localOf(row[column] ?? null, plan.timezone);
  const createdAt = at('created_at') ?? now;
  // A copy whose parent is gone did not count in the shop, and an unreadable coupon has no discount here.
  const isPending = isOrphan(row) || !isRead || !read.isOn;
  return insertInto(store.coupons, {
    id: read.id,
    code: read.code,
    user_id: idOf(row['user_id']),
    coupon_parent_id: idOf(row['parent_there']),
    ...terms,
    status: isPending ? 'pending' : (entryOf(statuses, row['status']) ?? 'pending'),
    deleted_at: at('deleted_at'),
    created_at: createdAt,
    updated_at: at('updated_at') ?? createdAt,
  });
}

/** Each coupon's code in the store, by its id. */
export function codesOf(staging: StagedShop, { timezone }: Plan): ReadonlyMap<number, string> {
  const rows = staging.database.prepare(inTheirOrder).all() as Row[];
  const named = rows.map(({ ID, code = null, deleted_at = null, status }) => ({
    id: Number(ID),
    code: code ?? '',
    isLive: localOf(deleted_at, timezone) === null,
    isUsable: status === 'active',
  }));
  return couponCodes(named);
}

const statuses: Readonly<Record<string, 'active' | 'pending' | 'need-approve'>> = {
  active: 'active',
  pending: 'pending',
  'need-approve': 'need-approve',
};

/** Counts the uses of coupons by orders that are not closed, as the store does. */
function usesReader({ database }: Context['staging']): (id: number) => number {
  const select = database.prepare(
    `select coupon_id as id, count(*) as uses from sejolisa_orders
      where status not in ('cancelled', 'refunded') group by 1`,
  );
  const uses = new Map(select.all().map((row) => [String(row['id']), Number(row['uses'])]));
  return (id) => uses.get(String(id)) ?? 0;
}

function discountOf(row: Row, values: SaleValues): store.CouponDiscount | undefined {
  const discount = phpArray(row['discount'] ?? null);
  if (!discount) return undefined;
  const isPercentage = asText(discount['type']) === 'percentage';
  const value = asText(discount['value']);
  const parsed = store.CouponDiscount.safeParse({
    value: isPercentage ? values.percentage(value) : values.amount(value),
    type: isPercentage ? 'percentage' : 'fixed',
    usage: asText(discount['usage']) === 'per_item' ? 'per_item' : 'total',
    free_shipping: isTruthy(discount['free_shipping']),
  });
  return parsed.data;
}

function ruleOf(row: Row, values: SaleValues): store.CouponRule | undefined {
  const rule = phpArray(row['rule'] ?? null);
  if (!rule) return undefined;
  const isTemplate = isTruthy(rule['use_by_affiliate']);
  const copies = values.whole(asText(rule['limit_affiliate_coupon']));
  return store.CouponRule.safeParse({
    ...store.noRule,
    apply_only: idsIn(rule, 'apply_only'),
    cant_apply: idsIn(rule, 'cant_apply'),
    max_discount: values.amount(asText(rule['max_discount'])),
    use_by_affiliate: isTemplate,
    // The shop counts a missing number as one.
    limit_affiliate_coupon: isTemplate ? Math.max(1, copies) : 0,
    renewal_coupon: isTruthy(rule['renewal_coupon']),
  }).data;
}

const idsIn = (rule: PhpArray, name: string): number[] =>
  Object.values(asArray(rule[name]) ?? {}).flatMap((id) => idOf(asText(id)) ?? []);
