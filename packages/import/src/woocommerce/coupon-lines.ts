import { couponCodes, inCapitals } from '../coupon-codes.ts';
import { postRows } from '../step.ts';
import { idOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import type { Shop } from './gathered.ts';

/** The coupon of an order, as its line has it. */
export interface CouponLine {
  readonly code: string;
  /** `[50,"again","percent",8]`, by the id that the coupon had. */
  readonly info: string | undefined;
  /** The serialised coupon itself, which older versions wrote instead. */
  readonly data: string | undefined;
}

/** The shop's coupons: the code that each has with us, and which of them a line is of. */
export interface Coupons {
  readonly codeOf: ReadonlyMap<number, string>;
  readonly named: (line: CouponLine) => number | undefined;
}

type Post = Readonly<Record<string, string | null>>;

const compareDates = (a: Post, b: Post) =>
  (a['post_date'] ?? '').localeCompare(b['post_date'] ?? '');

export function readCoupons(staging: Shop): Coupons {
  const [live, binned] = [new Map<string, number>(), new Map<string, number>()];
  const posts = [...postRows(staging, 'shop_coupon')];
  for (const { ID, post_title, post_status } of posts)
    (post_status === 'trash' ? binned : live).set(keyOf(post_title ?? ''), Number(ID));
  // The newest of those with a code is opened by it.
  const newestFirst = posts.toSorted((a, b) => compareDates(b, a));
  const codeOf = couponCodes(
    newestFirst.map(({ ID, post_title, post_status }) => ({
      ...{ id: Number(ID), code: plainText(post_title ?? '') },
      ...{ isLive: post_status !== 'trash', isUsable: post_status === 'publish' },
    })),
  );
  return {
    codeOf,
    // A coupon may be thrown away and made anew under its code.
    named(line) {
      const [id, key] = [idIn(line), keyOf(line.code)];
      return id !== null && codeOf.has(id) ? id : (live.get(key) ?? binned.get(key));
    },
  };
}

const keyOf = (code: string) => inCapitals(plainText(code));

/** Objects stand in what was serialised, behind the id. */
const idIn = ({ info, data }: CouponLine): number | null =>
  idOf(/^\[\s*"?(\d+)/.exec(info ?? '')?.[1]) ??
  idOf(/^a:\d+:\{s:2:"id";i:(\d+);/.exec(data ?? '')?.[1]);
