import { withoutMarks } from '../../../src/exports/store.ts';
import type { Reason } from './reasons.ts';

export interface NamedCoupon {
  readonly id: number;
  readonly code: string;
  readonly isLive: boolean;
  /** True if it can be used today. */
  readonly isUsable?: boolean;
}

/**
 * Returns each coupon's code in the store, by id: the shop's code in upper case. A code is changed if it has characters
 * that the store refuses, has no letter (it could be taken for an id), or is already taken. Usable coupons choose
 * first, then coupons whose code needs no change: codes are printed on flyers.
 * @param coupons of several with one code, the first is the one that the code opens in the shop
 */
export function couponCodes(coupons: readonly NamedCoupon[]): ReadonlyMap<number, string> {
  const codes = new Map<number, string>();
  const taken = new Set<string>();
  const give = ({ id, code, isLive }: NamedCoupon, isLast: boolean) => {
    let own = shapedCode(code);
    if (isLive) {
      if (taken.has(own) && !isLast) return;
      while (taken.has(own)) own = `${own.slice(0, 24)}-${id}`;
      taken.add(own);
    }
    codes.set(id, own);
  };
  const rankOf = ({ isUsable = true, code }: NamedCoupon) =>
    (isUsable ? 0 : 2) + (shapedCode(code) === inCapitals(code) ? 0 : 1);
  const inTurn = coupons.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const coupon of inTurn) give(coupon, false);
  for (const coupon of inTurn) if (!codes.has(coupon.id)) give(coupon, true);
  return codes;
}

/** The report's detail of a changed code: `was → became`. */
export const renamedCode = (was: string, code: string): string | undefined =>
  inCapitals(was) === code ? undefined : `${was.trim()} → ${code}`;

export function codeReasons(was: string, code: string): Reason[] {
  if (inCapitals(was) === code) return [];
  return [shapedCode(was) === code ? 'renamed' : 'code-taken'];
}

export const inCapitals = (code: string): string => code.trim().toUpperCase();

function shapedCode(code: string): string {
  const clean = withoutMarks(code)
    .trim()
    .toUpperCase()
    .split(/[^A-Z0-9_-]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, 40);
  return /[A-Z]/.test(clean) && clean.length >= 3 ? clean : `C-${clean}`.slice(0, 40);
}
