import { CouponDiscount, CouponRule, noDiscount, noRule } from '../../../schema/coupon-parts.ts';
import { coupons } from '../../../schema/coupons.ts';
import { codeReasons, couponCodes, renamedCode } from '../coupon-codes.ts';
import { type Mapped, type StepContext, imported, insertInto, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { SaleValues } from '../sale-values.ts';
import type { PhpArray } from '../serialized.ts';
import {
  asArray,
  asText,
  idOf,
  isStrangeId,
  isTruthy,
  localOf,
  phpArray,
  wholeOf,
} from '../values.ts';
import type { Plan, Shop } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;
type Row = Readonly<Record<string, string | null>>;

/** The shop's coupons, then the copies that affiliates made of them. */
export function* couponsStep({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const uses = usesReader(staging);
  const codes = codesOf(staging, plan);
  for (const row of rowsOf(staging)) {
    const id = Number(row['ID']);
    const parent = idOf(row['parent_there']);
    const deletedAt = localOf(row['deleted_at'] ?? null, plan.timezone);
    const code = codes.get(id) ?? '';
    const renaming = renamedCode(row['code'] ?? '', code);
    const values = new SaleValues(plan.exponent);
    const [discount, rule] = [discountOf(row, values), ruleOf(row, values)];
    const limits = {
      limit_use: values.limit(row['limit_use']),
      limit_date: values.moment(row['limit_date'], (text) => localOf(text, plan.timezone)),
    };
    const isOrphan = idOf(row['coupon_parent_id']) !== null && parent === null;
    const isStrange = isStrangeId(row['user_id']) || isStrangeId(row['coupon_parent_id']);
    const createdAt = localOf(row['created_at'] ?? null, plan.timezone) ?? now;
    numbers.above(coupons, id);
    const reasons: Reason[] = [
      ...codeReasons(row['code'] ?? '', code),
      ...(isStrange ? (['value-impossible'] as const) : []),
      ...(isOrphan ? (['parent-missing'] as const) : []),
      ...values.reasons,
      ...(discount && rule ? [] : (['unreadable-details'] as const)),
      ...(discount && rule && values.isReadable ? [] : (['switched-off'] as const)),
      ...(statuses[row['status'] ?? ''] ? [] : (['status-mapped'] as const)),
      ...(uses(id) === (wholeOf(row['usage'] ?? null) ?? 0) ? [] : (['uses-differ'] as const)),
    ];
    const coupon = insertInto(coupons, {
      id,
      code,
      user_id: idOf(row['user_id']),
      coupon_parent_id: parent,
      discount: discount ?? noDiscount,
      rule: rule ?? noRule,
      ...limits,
      // One that can't be read takes nothing off; one without its parent doesn't count there either.
      status:
        isOrphan || !discount || !rule || !values.isReadable
          ? 'pending'
          : (statuses[row['status'] ?? ''] ?? 'pending'),
      deleted_at: deletedAt,
      created_at: createdAt,
      updated_at: localOf(row['updated_at'] ?? null, plan.timezone) ?? createdAt,
    });
    yield withReasons(imported('coupons', id, [id], [coupon]), reasons, renaming);
  }
}

/** Coupons, parents before their copies. */
const rowsOf = ({ database }: Shop) =>
  database
    .prepare(
      `select c.*, p.ID as parent_there from sejolisa_coupons c
         left join sejolisa_coupons p on p.ID = c.coupon_parent_id and c.coupon_parent_id <> c.ID
        order by p.ID is not null, cast(c.ID as integer)`,
    )
    .iterate() as Iterable<Row>;

/** The code that each coupon has with us, by its id. */
export function codesOf(staging: Shop, { timezone }: Plan): ReadonlyMap<number, string> {
  const named = [...rowsOf(staging)].map(({ ID, code = null, deleted_at = null, status }) => ({
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

/** How often coupons are in use by orders that are not closed: what the store counts. */
function usesReader({ database }: Context['staging']): (id: number) => number {
  const select = database.prepare(
    `select coupon_id as id, count(*) as uses from sejolisa_orders
      where status not in ('cancelled', 'refunded') group by 1`,
  );
  const uses = new Map(select.all().map((row) => [String(row['id']), Number(row['uses'])]));
  return (id) => uses.get(String(id)) ?? 0;
}

function discountOf(row: Row, values: SaleValues): CouponDiscount | undefined {
  const discount = phpArray(row['discount'] ?? null);
  if (!discount) return undefined;
  const isPercentage = asText(discount['type']) === 'percentage';
  const value = asText(discount['value']);
  const parsed = CouponDiscount.safeParse({
    value: isPercentage ? values.percentage(value) : values.amount(value),
    type: isPercentage ? 'percentage' : 'fixed',
    usage: asText(discount['usage']) === 'per_item' ? 'per_item' : 'total',
    free_shipping: isTruthy(discount['free_shipping']),
  });
  return parsed.data;
}

function ruleOf(row: Row, values: SaleValues): CouponRule | undefined {
  const rule = phpArray(row['rule'] ?? null);
  if (!rule) return undefined;
  const isTemplate = isTruthy(rule['use_by_affiliate']);
  const copies = values.whole(asText(rule['limit_affiliate_coupon']));
  return CouponRule.safeParse({
    ...noRule,
    apply_only: idsIn(rule, 'apply_only'),
    cant_apply: idsIn(rule, 'cant_apply'),
    max_discount: values.amount(asText(rule['max_discount'])),
    use_by_affiliate: isTemplate,
    // What isn't said is one there.
    limit_affiliate_coupon: isTemplate ? Math.max(1, copies) : 0,
    renewal_coupon: isTruthy(rule['renewal_coupon']),
  }).data;
}

const idsIn = (rule: PhpArray, name: string): number[] =>
  Object.values(asArray(rule[name]) ?? {}).flatMap((id) => idOf(asText(id)) ?? []);
