import { type NamedCoupon, couponCodes } from '../coupon-codes.ts';
import type { StagedShop } from './plan.ts';

/** Each discount's code in the store, by its id. */
export function codesOf(staging: StagedShop): ReadonlyMap<number, string> {
  const discounts: NamedCoupon[] = [];
  for (const { id, code, type, status } of staging.rows('edd_adjustments'))
    if (type === 'discount')
      discounts.push({
        ...{ id: Number(id), code: code ?? '' },
        ...{ isLive: true, isUsable: status === 'active' },
      });
  return couponCodes(discounts);
}
