import * as store from '../../../../src/exports/store.ts';
import { affiliateCouponKey } from '../affiliatewp/source.ts';
import { codeReasons, renamedCode } from '../coupon-codes.ts';
import { idsOf } from '../ids.ts';
import { because, insertInto } from '../mapped.ts';
import { postsOf } from '../step.ts';
import { SaleValues } from '../sale-values.ts';
import { asText, epochOf, idOf, localOf, phpArray, utcOf, wholeOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { type CouponLine, type Coupons, readCoupons } from './coupon-lines.ts';
import { type StagedShop, type OrderRow, personReader } from './gathered.ts';
import { isRefused } from './order.ts';
import { type Plan, eachRow } from './plan.ts';
import { readVariations } from './variations.ts';

type Meta = ReadonlyMap<string, string>;

/** Imports the coupons that the shop keeps among its posts. */
export const shopCouponsStep = eachRow({
  entity: 'coupons',
  ...postsOf('shop_coupon'),
  reader(context) {
    const { staging, plan } = context;
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    const codes = readCoupons(staging);
    const uses = usesOf(staging, plan, codes);
    const buyers = personReader(staging);
    const catalogue = catalogueOf(staging, plan);
    return (post, id) => {
      const meta = metaOf(id);
      const code = codes.codeOf.get(id) ?? '';
      const title = plainText(post.post_title ?? '');
      const values = new SaleValues(plan.exponent);
      const userIds = emailsOf(meta).map(buyers);
      // A coupon for people who are not all known here is switched off, so that nobody else can use it.
      const isKept = userIds.every((buyer) => buyer !== undefined);
      const users = userIds.flatMap((user) => user ?? []);
      const { isWhole, ...terms } = termsOf(meta, values, { catalogue, users, plan });
      const { isKnown, isLooser } = restrictionsOf(meta, values, catalogue);
      const isPossible = isWhole && values.isReadable;
      const isOn = post.post_status === 'publish' && isPossible;
      const [used, said] = [uses.get(id) ?? 0, wholeOf(meta.get('usage_count') || '0')];
      const isUsedUp = terms.limit_use > used && (said ?? 0) >= terms.limit_use;
      const isValid = isKept && !isLooser && !isUsedUp;
      const createdAt = utcOf(post.post_date_gmt) ?? context.now;
      const affiliate = idOf(meta.get(affiliateCouponKey)) ?? 0;
      const coupon = insertInto(store.coupons, {
        id,
        code,
        user_id: plan.affiliates.users.get(affiliate) ?? null,
        coupon_parent_id: null,
        ...terms,
        status: isOn && isValid ? 'active' : 'pending',
        deleted_at: post.post_status === 'trash' ? createdAt : null,
        created_at: createdAt,
        updated_at: createdAt,
      });
      const reasons = [
        ...codeReasons(title, code),
        ...because({ 'impossible-settings': !isPossible, 'switched-off': !isPossible }),
        ...values.reasons,
        ...because({
          'switched-off': isOn && !isValid,
          'no-counterpart': !isKnown,
          'uses-differ': used !== said,
        }),
      ];
      return { rows: [coupon], reasons, detail: renamedCode(title, code) };
    };
  },
});

export function termsOf(
  meta: Meta,
  values: SaleValues,
  { catalogue, users, plan }: { catalogue: Catalogue; users: readonly number[]; plan: Plan },
) {
  const discount = discountOf(meta, values);
  const rule = ruleOf(meta, values, catalogue, users);
  return {
    isWhole: discount !== undefined && rule !== undefined,
    discount: discount ?? store.noDiscount,
    rule: rule ?? store.noRule,
    limit_use: values.limit(meta.get('usage_limit')),
    limit_use_per_user: values.limit(meta.get('usage_limit_per_user')),
    limit_date:
      epochOf(meta.get('date_expires') ?? null) ??
      values.moment(meta.get('expiry_date') || meta.get('date_expires'), (text) =>
        localOf(text, plan.timezone),
      ),
  };
}

const metaOfLine = (key: string) =>
  `(select meta_value from woocommerce_order_itemmeta m
     where m.order_item_id = i.order_item_id and meta_key = '${key}' order by m.rowid limit 1)`;

/** Counts the uses of coupons by imported orders that are not closed, as the store does. */
export function usesOf(
  { database }: StagedShop,
  plan: Plan,
  coupons: Coupons,
): ReadonlyMap<number, number> {
  const rows = database
    .prepare(
      `select o.*, i.order_item_name as code, ${metaOfLine('coupon_info')} as info,
              ${metaOfLine('coupon_data')} as data
         from wanted_order o
         join (select order_id, order_item_name, order_item_id, min(cast(order_item_id as integer))
                 from woocommerce_order_items where order_item_type = 'coupon' group by order_id) i
           on i.order_id = cast(o.id as text)`,
    )
    .iterate() as Iterable<unknown> as Iterable<OrderRow & Record<keyof CouponLine, string | null>>;
  const uses = new Map<number, number>();
  for (const row of rows) {
    const ours = plan.statuses.get(row.status);
    const id = coupons.named({
      code: row.code ?? '',
      info: row.info ?? undefined,
      data: row.data ?? undefined,
    });
    if (id === undefined || ours === 'cancelled' || ours === 'refunded') continue;
    if (!isRefused(row, plan)) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return uses;
}

function discountOf(meta: Meta, values: SaleValues): store.CouponDiscount | undefined {
  const value = meta.get('coupon_amount');
  const type = meta.get('discount_type') || 'fixed_cart';
  if (!['percent', 'fixed_cart', 'fixed_product'].includes(type)) return undefined;
  return store.CouponDiscount.safeParse({
    value: type === 'percent' ? values.percentage(value) : values.amount(value),
    type: type === 'percent' ? 'percentage' : 'fixed',
    usage: type === 'fixed_product' ? 'per_item' : 'total',
    free_shipping: meta.get('free_shipping') === 'yes',
  }).data;
}

interface Catalogue {
  /** The product with an id, or with a variation of this id. */
  readonly productOf: (id: number) => number;
  readonly inCategory: (category: number) => readonly number[];
}

export function catalogueOf(staging: StagedShop, plan: Plan): Catalogue {
  const variations = readVariations(staging, plan);
  return {
    productOf: (product) => variations.get(product)?.productId ?? product,
    inCategory: categoryReader(staging),
  };
}

function ruleOf(
  meta: Meta,
  values: SaleValues,
  { productOf, inCategory }: Catalogue,
  user_ids: readonly number[],
): store.CouponRule | undefined {
  const named = (key: string) => idsIn(meta.get(key)).map(productOf);
  const listed = (key: string) => idsIn(meta.get(key)).flatMap((category) => inCategory(category));
  const [byName, byCategory] = [named('product_ids'), listed('product_categories')];
  const hasCategories = idsIn(meta.get('product_categories')).length > 0;
  // With both, the shop asks for a named product, and for one in a category.
  const isByBoth = byName.length > 0 && hasCategories;
  const only = isByBoth
    ? byName.filter((product) => byCategory.includes(product))
    : [...byName, ...byCategory];
  // An empty list would mean every product.
  if (only.length === 0 && hasCategories) return undefined;
  const excluded = [...named('exclude_product_ids'), ...listed('exclude_product_categories')];
  return store.CouponRule.safeParse({
    ...store.noRule,
    apply_only: [...new Set(only)],
    cant_apply: [...new Set(excluded)],
    minimum_amount: values.amount(meta.get('minimum_amount')),
    user_ids: [...new Set(user_ids)],
  }).data;
}

/**
 * Reads the restrictions that the store lacks. It `isLooser` if a coupon would be worth more without them than in the
 * shop. Categories become their present products, and a variation that is excluded its whole product.
 */
export function restrictionsOf(meta: Meta, values: SaleValues, { productOf }: Catalogue) {
  const has = (key: string) => idsIn(meta.get(key)).length > 0;
  const named = idsIn(meta.get('product_ids'));
  const isVariation = (id: number) => productOf(id) !== id;
  const isLooser =
    meta.get('exclude_sale_items') === 'yes' ||
    values.number(meta.get('maximum_amount')) > 0 ||
    values.number(meta.get('limit_usage_to_x_items')) > 0 ||
    has('product_brands') ||
    has('exclude_product_brands') ||
    named.some((id) => isVariation(id) && !named.includes(productOf(id)));
  const isKnown =
    !isLooser &&
    !has('product_categories') &&
    !has('exclude_product_categories') &&
    !idsIn(meta.get('exclude_product_ids')).some(isVariation);
  return { isKnown, isLooser };
}

/** Ids in a list, separated by commas or serialised. */
function idsIn(list: string | undefined): number[] {
  const serialised = phpArray(list ?? null);
  const texts = serialised ? Object.values(serialised).map(asText) : (list ?? '').split(',');
  return texts.flatMap((text) => idOf(text) ?? []);
}

function emailsOf(meta: Meta): string[] {
  const text = meta.get('customer_email') ?? '';
  const list = phpArray(text);
  if (list) return Object.values(list).map(asText);
  return text.trim() === '' ? [] : [text];
}

/** Reads the products of a category and of those below it. */
function categoryReader(staging: StagedShop): (category: number) => readonly number[] {
  return (category) => [
    ...idsOf(
      staging,
      `with recursive category (id) as (
         select '${category}'
         union select x.term_id from term_taxonomy x join category on x.parent = category.id
          where x.taxonomy = 'product_cat')
       select r.object_id as id from category
         join term_taxonomy x on x.taxonomy = 'product_cat' and x.term_id = category.id
         join term_relationships r on r.term_taxonomy_id = x.term_taxonomy_id
         join posts p on p.ID = r.object_id and p.post_type = 'product'
        order by cast(p.ID as integer)`,
    ),
  ];
}
