import { withoutMarks } from '../../lib/text.ts';

/** A coupon of a shop. */
export interface NamedCoupon {
  readonly id: number;
  /** As the shop has it, in whichever case. */
  readonly code: string;
  readonly isLive: boolean;
}

/**
 * Gives coupons their codes, by their ids: the shop's own in capitals, or one made of it where that has other characters
 * than the store takes, no letter (it could be taken for an id), or is another live coupon's. Those that stay as they are
 * come first: they are printed on flyers.
 */
export function couponCodes(coupons: readonly NamedCoupon[]): ReadonlyMap<number, string> {
  const codes = new Map<number, string>();
  const taken = new Set<string>();
  const give = ({ id, code, isLive }: NamedCoupon) => {
    const shaped = shapedCode(code);
    const own = isLive && taken.has(shaped) ? `${shaped.slice(0, 24)}-${id}` : shaped;
    if (isLive) taken.add(own);
    codes.set(id, own);
  };
  for (const coupon of coupons) if (isKept(coupon)) give(coupon);
  for (const coupon of coupons) if (!isKept(coupon)) give(coupon);
  return codes;
}

/** What the report says of a coupon whose code is another here: which became which; undefined where it is the same. */
export const renamedCode = (was: string, code: string): string | undefined =>
  was.trim().toUpperCase() === code ? undefined : `${was.trim()} → ${code}`;

const isKept = ({ code }: NamedCoupon) => shapedCode(code) === code.trim().toUpperCase();

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
