import { type NamedCoupon, couponCodes } from '../coupon-codes.ts';
import { idOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import type { Shop } from './gathered.ts';

/** What a line of an order says of the coupon that it used. */
export interface CouponLine {
  readonly code: string;
  /** `[50,"again","percent",8]`, by the id that the coupon had. */
  readonly info: string | undefined;
  /** What versions before wrote in place of it: the coupon itself, serialised. */
  readonly data: string | undefined;
}

/** The shop's coupons: the code that each has with us, and which of them a line is of. */
export interface Coupons {
  readonly codeOf: ReadonlyMap<number, string>;
  readonly named: (line: CouponLine) => number | undefined;
}

/** The shop's coupons, as they are posts. */
export const couponPosts = ({ database }: Shop) =>
  database
    .prepare(`select * from posts where post_type = 'shop_coupon' order by cast(ID as integer)`)
    .iterate() as Iterable<Readonly<Record<string, string | null>>>;

export function readCoupons(staging: Shop): Coupons {
  const named: NamedCoupon[] = [];
  const [live, binned] = [new Map<string, number>(), new Map<string, number>()];
  for (const { ID, post_title, post_status } of couponPosts(staging)) {
    const [id, title] = [Number(ID), post_title ?? ''];
    const isLive = post_status !== 'trash';
    named.push({ id, code: plainText(title), isLive });
    (isLive ? live : binned).set(keyOf(title), id);
  }
  const codeOf = couponCodes(named);
  return {
    codeOf,
    // A coupon may be thrown away and made anew under its code.
    named(line) {
      const [id, key] = [idIn(line), keyOf(line.code)];
      return id !== null && codeOf.has(id) ? id : (live.get(key) ?? binned.get(key));
    },
  };
}

const keyOf = (code: string) => plainText(code).toLowerCase();

/** Objects stand in what was serialised, behind the id. */
const idIn = ({ info, data }: CouponLine): number | null =>
  idOf(/^\[\s*"?(\d+)/.exec(info ?? '')?.[1]) ??
  idOf(/^a:\d+:\{s:2:"id";i:(\d+);/.exec(data ?? '')?.[1]);
