import { couponCodes, inCapitals } from '../coupon-codes.ts';
import { postRows } from '../step.ts';
import { idOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import type { StagedShop } from './gathered.ts';

export interface CouponLine {
  readonly code: string;
  /** `[50,"again","percent",8]`: the coupon's id, and its values at that time. */
  readonly info: string | undefined;
  /** The serialised coupon, which older versions wrote instead. */
  readonly data: string | undefined;
}

export interface Coupons {
  readonly codeOf: ReadonlyMap<number, string>;
  readonly named: (line: CouponLine) => number | undefined;
}

type Post = Readonly<Record<string, string | null>>;

const compareDates = (a: Post, b: Post) =>
  (a['post_date'] ?? '').localeCompare(b['post_date'] ?? '');

export function readCoupons(staging: StagedShop): Coupons {
  const [live, binned] = [new Map<string, number>(), new Map<string, number>()];
  const posts = [...postRows(staging, 'shop_coupon')];
  for (const { ID, post_title, post_status } of posts)
    (post_status === 'trash' ? binned : live).set(keyOf(post_title ?? ''), Number(ID));
  // A code opens the newest coupon with it.
  const newestFirst = posts.toSorted((a, b) => compareDates(b, a));
  const codeOf = couponCodes(
    newestFirst.map(({ ID, post_title, post_status }) => ({
      ...{ id: Number(ID), code: plainText(post_title ?? '') },
      ...{ isLive: post_status !== 'trash', isUsable: post_status === 'publish' },
    })),
  );
  return {
    codeOf,
    // A coupon may be deleted and created again with the same code.
    named(line) {
      const [id, key] = [idIn(line), keyOf(line.code)];
      return id !== null && codeOf.has(id) ? id : (live.get(key) ?? binned.get(key));
    },
  };
}

const keyOf = (code: string) => inCapitals(plainText(code));

/** Only the beginning of `data` is read, because objects follow the id. */
const idIn = ({ info, data }: CouponLine): number | null =>
  idOf(/^\[\s*"?(\d+)/.exec(info ?? '')?.[1]) ??
  idOf(/^a:\d+:\{s:2:"id";i:(\d+);/.exec(data ?? '')?.[1]);
