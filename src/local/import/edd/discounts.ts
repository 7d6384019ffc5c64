import { codeReasons, renamedCode } from '../coupon-codes.ts';
import { affiliateCouponKey } from '../affiliatewp/source.ts';
import { type CouponDiscount, type CouponRule, noRule } from '../../../schema/coupon-parts.ts';
import { coupons } from '../../../schema/coupons.ts';
import {
  type Mapped,
  type StepContext,
  imported,
  insertInto,
  without,
  withReasons,
} from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { SaleValues } from '../sale-values.ts';
import { statusOf } from '../records/order.ts';
import { asText, idOf, phpArray, utcOf, wholeOf } from '../values.ts';
import { codesOf } from './codes.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { edd } from './source.ts';

type Context = StepContext<typeof edd, Plan>;
type Row = Readonly<Record<string, string | null>>;

/** The shop's discounts, as coupons. */
export function* discountsStep({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const codes = codesOf(staging);
  const uses = usesReader({ staging, plan });
  const affiliateOf = staging.database.prepare(
    `select meta_value as id from postmeta where post_id = ? and meta_key = '${affiliateCouponKey}'`,
  );
  const meta = staging.database.prepare(
    'select meta_key, meta_value from edd_adjustmentmeta where edd_adjustment_id = ?',
  );
  for (const row of staging.rows('edd_adjustments') as Iterable<Row>) {
    const id = Number(row['id']);
    numbers.above(coupons, id);
    if (row['type'] !== 'discount') {
      yield without('coupons', id, 'left-out', 'no-counterpart');
      continue;
    }
    const fields = meta.all(String(id)) as Row[];
    const values = new SaleValues(plan.exponent);
    const discount = discountOf(row, values);
    const code = codes.get(id) ?? '';
    const needsAll = fieldOf(fields, 'product_condition') === 'all';
    const rule = ruleOf(row, fields, values);
    const at = utcOf(row['date_created'] ?? null) ?? now;
    const terms = {
      limit_use: values.limit(row['max_uses']),
      limit_use_per_user: row['once_per_customer'] === '1' ? 1 : 0,
      start_date: values.moment(row['start_date'], utcOf),
      limit_date: values.moment(row['end_date'], utcOf),
    };
    const renaming = renamedCode(row['code'] ?? '', code);
    const reasons: Reason[] = [
      ...codeReasons(row['code'] ?? '', code),
      ...values.reasons,
      ...(values.isReadable ? [] : (['switched-off'] as const)),
      ...(needsAll && rule.apply_only.length > 1 ? (['no-counterpart'] as const) : []),
      ...(uses(id) === (wholeOf(row['use_count'] || '0') ?? NaN) ? [] : (['uses-differ'] as const)),
    ];
    const coupon = insertInto(coupons, {
      id,
      code,
      user_id:
        plan.affiliates.users.get(
          idOf(affiliateOf.get(String(id))?.['id'] as string | null) ?? 0,
        ) ?? null,
      discount,
      rule,
      ...terms,
      status: row['status'] === 'active' && values.isReadable ? 'active' : 'pending',
      created_at: at,
      updated_at: at,
    });
    yield withReasons(imported('coupons', id, [id], [coupon]), reasons, renaming);
  }
}

function discountOf(row: Row, values: SaleValues): CouponDiscount {
  const isPercentage = row['amount_type'] === 'percent';
  return {
    value: isPercentage ? values.percentage(row['amount']) : values.amount(row['amount']),
    type: isPercentage ? 'percentage' : 'fixed',
    usage: 'total',
    free_shipping: false,
  };
}

const ruleOf = (row: Row, fields: readonly Row[], values: SaleValues): CouponRule => ({
  ...noRule,
  apply_only: idsOf(fields, 'product_requirement'),
  cant_apply: idsOf(fields, 'excluded_product'),
  minimum_amount: values.amount(row['min_charge_amount']),
});

const fieldOf = (fields: readonly Row[], key: string): string | null | undefined =>
  fields.find(({ meta_key }) => meta_key === key)?.['meta_value'];

/** Product ids: a row each, or of older versions a serialised list. A price option counts as its product. */
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

/** How often discounts are in use by orders that are not closed: what the store counts. */
function usesReader({ staging, plan }: Pick<Context, 'staging' | 'plan'>): (id: number) => number {
  const read = orderReader(staging, plan);
  const uses = new Map<number, number>();
  const rows = staging.database
    .prepare(
      `select distinct object_id as id from edd_order_adjustments
        where object_type = 'order' and type = 'discount'`,
    )
    .iterate();
  for (const row of rows) {
    const found = read(String(row['id']));
    const [first] = found && 'parts' in found ? found.parts : [];
    if (!first?.coupon?.id || ['cancelled', 'refunded'].includes(statusOf(first))) continue;
    uses.set(first.coupon.id, (uses.get(first.coupon.id) ?? 0) + 1);
  }
  return (id) => uses.get(id) ?? 0;
}
