import * as store from '../../../../src/exports/store.ts';
import { codeReasons, renamedCode } from '../coupon-codes.ts';
import { affiliateCouponKey } from '../affiliatewp/source.ts';
import { because, insertInto } from '../mapped.ts';
import { SaleValues } from '../sale-values.ts';
import { isClosed, ordersIn, statusOf } from '../records/order.ts';
import { asText, idOf, phpArray, utcOf, wholeOf } from '../values.ts';
import { codesOf } from './codes.ts';
import { orderReader } from './orders.ts';
import { type Plan, type StagedShop, eachRow } from './plan.ts';

type Row = Readonly<Record<string, string | null>>;

export const discountsStep = eachRow({
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
    return (row, id) => {
      if (row.type !== 'discount') return { refusal: 'no-counterpart', outcome: 'left-out' };
      const fields = meta.all(String(id)) as Row[];
      const values = new SaleValues(plan.exponent);
      const terms = termsOf(row, fields, values);
      const code = codes.get(id) ?? '';
      const needsAll = fieldOf(fields, 'product_condition') === 'all';
      const at = utcOf(row.date_created) ?? now;
      const affiliate = idOf(affiliateOf.get(String(id))?.['id'] as string | null) ?? 0;
      const coupon = insertInto(store.coupons, {
        id,
        code,
        user_id: plan.affiliates.users.get(affiliate) ?? null,
        ...terms,
        status: row.status === 'active' && values.isReadable ? 'active' : 'pending',
        created_at: at,
        updated_at: at,
      });
      const reasons = [
        ...codeReasons(row.code ?? '', code),
        ...values.reasons,
        ...because({
          'switched-off': !values.isReadable,
          'no-counterpart': needsAll && terms.rule.apply_only.length > 1,
          'uses-differ': uses(id) !== wholeOf(row.use_count || '0'),
        }),
      ];
      return { rows: [coupon], reasons, detail: renamedCode(row.code ?? '', code) };
    };
  },
});

const termsOf = (row: Row, fields: readonly Row[], values: SaleValues) => ({
  discount: discountOf(row, values),
  rule: ruleOf(row, fields, values),
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

const ruleOf = (row: Row, fields: readonly Row[], values: SaleValues): store.CouponRule => ({
  ...store.noRule,
  apply_only: idsOf(fields, 'product_requirement'),
  cant_apply: idsOf(fields, 'excluded_product'),
  minimum_amount: values.amount(row['min_charge_amount']),
});

const fieldOf = (fields: readonly Row[], key: string): string | null | undefined =>
  fields.find(({ meta_key }) => meta_key === key)?.['meta_value'];

/** Reads product ids: one a row or, in older versions, a serialised list. `12_1` is a price option of product 12. */
const idsOf = (fields: readonly Row[], key: string): number[] => [
  ...new Set(
    fields
      .filter(({ meta_key }) => meta_key === key)
      .flatMap(({ meta_value = null }) => {
        const list = phpArray(meta_value);
        return list ? Object.values(list).map(asText) : [meta_value ?? ''];
      })
      .flatMap((text) => idOf(text.split('_')[0]) ?? []),
  ),
];

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
