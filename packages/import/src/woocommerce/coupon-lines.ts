import { type AffiliateCoupon, affiliateCouponsIn } from '../affiliatewp/coupons.ts';
import { affiliateSettingsOf } from '../affiliatewp/settings.ts';
import { couponCodes, inCapitals } from '../coupon-codes.ts';
import { highestMention } from '../mentions.ts';
import { postRows } from '../step.ts';
import { asText, idOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import type { StagedShop } from './gathered.ts';
import { couponMentions } from './mentions.ts';

export interface CouponLine {
  readonly code: string;
  /** `[50,"again","percent",8]`: the coupon's id, and its values at that time. */
  readonly info: string | undefined;
  /** The serialised coupon, which older versions wrote instead. */
  readonly data: string | undefined;
}

/** Coupons that AffiliateWP made for affiliates, and the one that they copy. */
interface AffiliateCoupons {
  /** The id of its post; 0 for none. */
  readonly template: number;
  readonly isPublished: boolean;
  /** With their new ids. */
  readonly list: readonly (AffiliateCoupon & { readonly id: number })[];
}

export interface Coupons {
  readonly codeOf: ReadonlyMap<number, string>;
  readonly ofAffiliates: AffiliateCoupons;
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
  const ofAffiliates = readAffiliateCoupons(staging, posts);
  const { isPublished, list } = ofAffiliates;
  const affiliates = new Map(list.toReversed().map(({ code, id }) => [keyOf(code), id]));
  // A code opens an affiliate's coupon, otherwise the newest one with it.
  const newestFirst = posts.toSorted((a, b) => compareDates(b, a));
  const codeOf = couponCodes([
    ...list.map(({ id, code }) => ({ id, code, isLive: true, isUsable: isPublished })),
    ...newestFirst.map(({ ID, post_title, post_status }) => ({
      ...{ id: Number(ID), code: plainText(post_title ?? '') },
      ...{ isLive: post_status !== 'trash', isUsable: post_status === 'publish' },
    })),
  ]);
  return {
    codeOf,
    ofAffiliates,
    // A coupon may be deleted and created again with the same code.
    named(line) {
      const [id, key] = [idIn(line), keyOf(line.code)];
      if (id !== null && codeOf.has(id)) return id;
      const ofShop = live.get(key) ?? binned.get(key);
      const ofAffiliate = affiliates.get(key);
      return isPublished ? (ofAffiliate ?? ofShop) : (ofShop ?? ofAffiliate);
    },
  };
}

function readAffiliateCoupons(staging: StagedShop, posts: readonly Post[]): AffiliateCoupons {
  const setting = affiliateSettingsOf(staging)['coupon_template_woocommerce'];
  const template = idOf(asText(setting)) ?? 0;
  const found = posts.find(({ ID }) => Number(ID) === template);
  const isPublished = found?.['post_status'] === 'publish';
  const highest = highestMention(staging, couponMentions);
  const list = affiliateCouponsIn(staging).map((one, i) => ({ ...one, id: highest + 1 + i }));
  return { template, isPublished, list };
}

const keyOf = (code: string) => inCapitals(plainText(code));

/** Only the beginning of `data` is read, because objects follow the id. */
const idIn = ({ info, data }: CouponLine): number | null =>
  idOf(/^\[\s*"?(\d+)/.exec(info ?? '')?.[1]) ??
  idOf(/^a:\d+:\{s:2:"id";i:(\d+);/.exec(data ?? '')?.[1]);
