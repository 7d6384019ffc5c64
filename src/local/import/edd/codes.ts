import { couponCodes } from '../coupon-codes.ts';
import type { Shop } from './plan.ts';

/** The code that each discount has with us, by its id. */
export function codesOf(staging: Shop): ReadonlyMap<number, string> {
  const codeOf = couponCodes();
  const codes = new Map<number, string>();
  for (const { id, code, type } of staging.rows('edd_adjustments'))
    if (type === 'discount') codes.set(Number(id), codeOf(code ?? '', Number(id), true));
  return codes;
}
