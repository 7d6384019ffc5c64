import { type MappedRow, mapped } from '../mapped.ts';
import type { OwnIds } from '../own-ids.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { idOf } from '../values.ts';

/** A coupon that AffiliateWP made for an affiliate. It copies another one, and has only a code of its own. */
export interface AffiliateCoupon {
  /** Its name in the report. */
  readonly name: string;
  readonly code: string;
  readonly affiliate: number;
}

const prefix = 'affiliate coupon ';

export const affiliateCouponIds: OwnIds = {
  entity: 'coupons',
  table: 'affiliate_wp_coupons',
  prefix,
};

export const affiliateCouponsIn = ({ database }: Staging<Source>): AffiliateCoupon[] =>
  database
    .prepare('select * from affiliate_wp_coupons order by cast(coupon_id as integer)')
    .all()
    .map((row) => ({
      name: prefix + String(row['coupon_id']),
      code: String(row['coupon_code'] ?? ''),
      affiliate: idOf(row['affiliate_id'] as string | null) ?? 0,
    }));

/** Reports the coupons of affiliates in a shop where they give no discount: only WooCommerce has one that they copy. */
export function* uselessCouponRows(staging: Staging<Source>): Generator<MappedRow> {
  for (const { name } of affiliateCouponsIn(staging))
    yield mapped('coupons', name, { refusal: 'template-missing', outcome: 'left-out' });
}
