import * as store from '../../../../src/exports/store.ts';
import { codeReasons, renamedCode } from '../coupon-codes.ts';
import { affiliateCouponIds, uselessCouponRows } from '../affiliatewp/coupons.ts';
import { affiliateCouponKey } from '../affiliatewp/source.ts';
import { because, insertInto } from '../mapped.ts';
import { SaleValues } from '../sale-values.ts';
import { isClosed, ordersIn, statusOf } from '../records/order.ts';
import { asText, idOf, phpArray, utcOf, wholeOf } from '../values.ts';
import { type ProductsIn, categoryReader } from './categories.ts';
import { codesOf } from './codes.ts';
import { orderReader } from './orders.ts';
import { type EddStep, type Plan, type StagedShop, eachRow } from './plan.ts';

type Row = Readonly<Record<string, string | null>>;

const ownDiscountsStep = eachRow({
  entity: 'coupons',
  table: 'edd_adjustments',
  reader({ staging, plan, now }) {
    const codes = codesOf(staging);
    const uses = usesReader(staging, plan);
    const affiliateOf = staging.database.prepare(
      `select meta_value as id from postmeta where post_id = ? and meta_key = '${affiliateCouponKey}'`,
    );
    const meta = staging.database.prepare(
      'select meta_key, meta_value from edd_adjustmentmeta where edd_adjustment_id = ?',
    );
    const productsIn = categoryReader(staging);
    return (row, id) => {
      if (row.type !== 'discount') return { refusal: 'no-counterpart', outcome: 'left-out' };
      const fields = meta.all(String(id)) as Row[];
      const values = new SaleValues(plan.exponent);
      const { rule, isKept, hasCategories } = ruleOf(row, fields, values, productsIn);
      const terms = termsOf(row, values);
      const isOn = row.status === 'active' && values.isReadable;
      const usage = usageOf(row, terms.limit_use, uses(id));
      const isValid = isKept && !usage.isOver;
      const code = codes.get(id) ?? '';
      const needsAll = fieldOf(fields, 'product_condition') === 'all';
      const at = utcOf(row.date_created) ?? now;
      const affiliate = idOf(affiliateOf.get(String(id))?.['id'] as string | null) ?? 0;
      const coupon = insertInto(store.coupons, {
        id,
        code,
        user_id: plan.affiliates.users.get(affiliate) ?? null,
        ...terms,
        rule,
        status: isOn && isValid ? 'active' : 'pending',
        created_at: at,
        updated_at: at,
      });
      const reasons = [
        ...codeReasons(row.code ?? '', code),
        ...values.reasons,
        ...because({
          'switched-off': !values.isReadable || (isOn && !isValid),
          'no-counterpart': !isKept || hasCategories || (needsAll && rule.apply_only.length > 1),
          'uses-differ': usage.differs,
        }),
      ];
      return { rows: [coupon], reasons, detail: renamedCode(row.code ?? '', code) };
    };
  },
});

/** Imports the shop's discounts, and reports the coupons that AffiliateWP made for affiliates. */
export const discountsStep: EddStep = {
  entity: 'coupons',
  ids: [...(ownDiscountsStep.ids ?? []), affiliateCouponIds],
  *map(context) {
    yield* ownDiscountsStep.map(context);
    yield* uselessCouponRows(context.staging);
  },
};

/**
 * Compares the uses of a discount with its limit. It is over if it is used up in the shop alone.
 * @param used its uses in the store
 */
function usageOf(row: Row, limit: number, used: number) {
  const said = wholeOf(row['use_count'] || '0');
  return { differs: used !== said, isOver: limit > used && (said ?? 0) >= limit };
}

const termsOf = (row: Row, values: SaleValues) => ({
  discount: discountOf(row, values),
  limit_use: values.limit(row['max_uses']),
  limit_use_per_user: row['once_per_customer'] === '1' ? 1 : 0,
  start_date: values.moment(row['start_date'], utcOf),
  limit_date: values.moment(row['end_date'], utcOf),
});

function discountOf(row: Row, values: SaleValues): store.CouponDiscount {
  const isPercentage = row['amount_type'] === 'percent';
  return {
    value: isPercentage ? values.percentage(row['amount']) : values.amount(row['amount']),
    type: isPercentage ? 'percentage' : 'fixed',
    usage: 'total',
    free_shipping: false,
  };
}

/**
 * Reads the rule of a discount. It has the products that are in its categories today. `isKept` is false if the discount
 * would apply to others in the store.
 */
function ruleOf(row: Row, fields: readonly Row[], values: SaleValues, productsIn: ProductsIn) {
  const required = idsOf(fields, 'product_requirement', values);
  const excluded = idsOf(fields, 'excluded_product', values);
  const categories = idsOf(fields, 'categories', values);
  const { products, isWhole } = productsIn(categories);
  const hasCategories = categories.length > 0;
  const isExcluding = fieldOf(fields, 'term_condition') === 'exclude';
  const isLimited = hasCategories && !isExcluding;
  const apply_only = isLimited
    ? products.filter((id) => required.length === 0 || required.includes(id))
    : required;
  const rule = store.CouponRule.safeParse({
    ...store.noRule,
    apply_only,
    cant_apply: isExcluding ? union(excluded, products) : excluded,
    minimum_amount: values.amount(row['min_charge_amount']),
  });
  // An empty list would mean every product.
  const isEmpty = isLimited && apply_only.length === 0;
  return {
    rule: rule.data ?? store.noRule,
    hasCategories,
    isKept: rule.success && isWhole && !isEmpty && !namesOptions(fields),
  };
}

const union = (a: readonly number[], b: readonly number[]) => [...new Set([...a, ...b])];

/** Tells if a discount is for single price options: `12_1`. */
const namesOptions = (fields: readonly Row[]): boolean =>
  textsOf(fields, 'product_requirement').some((text) => text.includes('_'));

const fieldOf = (fields: readonly Row[], key: string): string | null | undefined =>
  fields.find(({ meta_key }) => meta_key === key)?.['meta_value'];

/** The texts of a list: one a row or, in older versions, a serialised list. */
const textsOf = (fields: readonly Row[], key: string): string[] =>
  fields
    .filter(({ meta_key }) => meta_key === key)
    .flatMap(({ meta_value = null }) => {
      const list = phpArray(meta_value);
      return list ? Object.values(list).map(asText) : [meta_value ?? ''];
    })
    .filter((text) => !/^(0|b:0;|N;)?$/.test(text));

/** Reads the ids in a list. `12_1` is a price option of product 12. */
function idsOf(fields: readonly Row[], key: string, values: SaleValues): number[] {
  const ids = textsOf(fields, key).map((text) => idOf(text.split('_')[0]));
  // Without an unreadable id, a discount would apply to more.
  if (ids.includes(null)) values.unreadable();
  return [...new Set(ids.flatMap((id) => id ?? []))];
}

/** Counts the uses of discounts by orders that are not closed, as the store does. */
function usesReader(staging: StagedShop, plan: Plan): (id: number) => number {
  const read = orderReader(staging, plan);
  const uses = new Map<number, number>();
  const rows = staging.database
    .prepare(
      `select distinct object_id as id from edd_order_adjustments
        where object_type = 'order' and type = 'discount'`,
    )
    .iterate();
  for (const row of rows) {
    const [first] = ordersIn(read(String(row['id'])));
    if (!first?.coupon?.id || isClosed(statusOf(first))) continue;
    uses.set(first.coupon.id, (uses.get(first.coupon.id) ?? 0) + 1);
  }
  return (id) => uses.get(id) ?? 0;
}
