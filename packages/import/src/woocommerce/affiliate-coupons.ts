import { coupons } from '../../../../src/exports/store.ts';
import { affiliateCouponIds } from '../affiliatewp/coupons.ts';
import { codeReasons, renamedCode } from '../coupon-codes.ts';
import { type MappedRow, because, insertInto, mapped } from '../mapped.ts';
import { SaleValues } from '../sale-values.ts';
import { words } from '../source.ts';
import { metaReader } from '../wordpress-meta.ts';
import { readCoupons } from './coupon-lines.ts';
import { catalogueOf, restrictionsOf, shopCouponsStep, termsOf, usesOf } from './coupons.ts';
import type { Context, WooStep } from './plan.ts';

/** Imports the shop's coupons, then those that AffiliateWP made for affiliates. */
export const couponsStep: WooStep = {
  entity: 'coupons',
  ids: [...(shopCouponsStep.ids ?? []), affiliateCouponIds],
  *map(context) {
    yield* shopCouponsStep.map(context);
    yield* affiliateCouponRows(context);
  },
};

/** The fields that such a coupon copies. The limits of the other one don't apply to it. */
const copied: ReadonlySet<string> = new Set(
  words(
    'discount_type coupon_amount date_expires expiry_date product_ids exclude_product_ids',
    'exclude_product_categories exclude_sale_items free_shipping',
  ),
);

function* affiliateCouponRows({ staging, plan, numbers, now }: Context): Generator<MappedRow> {
  const codes = readCoupons(staging);
  const { template, isPublished, list } = codes.ofAffiliates;
  if (list.length === 0) return;
  const all = metaReader(staging, 'postmeta', 'post_id')(template);
  const meta = new Map([...all].filter(([key]) => copied.has(key)));
  const catalogue = catalogueOf(staging, plan);
  const uses = usesOf(staging, plan, codes);
  const values = new SaleValues(plan.exponent);
  const { isWhole, ...terms } = termsOf(meta, values, { catalogue, users: [], plan });
  const { isKnown, isLooser } = restrictionsOf(meta, values, catalogue);
  const isPossible = isWhole && values.isReadable;
  const isValid = isPossible && !isLooser;
  for (const { id, name, code: said, affiliate } of list) {
    numbers.above(coupons, id);
    const code = codes.codeOf.get(id) ?? '';
    const owner = plan.affiliates.users.get(affiliate);
    const coupon = insertInto(coupons, {
      id,
      code,
      user_id: owner ?? null,
      coupon_parent_id: null,
      ...terms,
      status: isPublished && isValid ? 'active' : 'pending',
      created_at: now,
      updated_at: now,
    });
    const reasons = [
      ...codeReasons(said, code),
      ...values.reasons,
      ...because({
        'template-missing': !isPublished,
        'impossible-settings': !isPossible,
        'switched-off': isPublished && !isValid,
        'no-counterpart': !isKnown,
        'no-affiliate': owner === undefined,
        'uses-differ': (uses.get(id) ?? 0) > 0,
      }),
    ];
    const detail = renamedCode(said, code);
    yield mapped('coupons', name, { rows: [coupon], targets: [id], reasons, detail });
  }
}
