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

export const couponsStep = eachRow({
  entity: 'coupons',
  ...postsOf('shop_coupon'),
  reader(context) {
    const { staging, plan } = context;
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    const codes = readCoupons(staging);
    const uses = usesOf(staging, plan, codes);
    const buyers = personReader(staging);
    const variations = readVariations(staging, plan);
    const catalogue: Catalogue = {
      productOf: (product) => variations.get(product)?.productId ?? product,
      inCategory: categoryReader(staging),
    };
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
      const isPossible = isWhole && values.isReadable;
      const isOn = post.post_status === 'publish' && isPossible;
      const hasMore = isBoundToMore(meta, values);
      const createdAt = utcOf(post.post_date_gmt) ?? context.now;
      const affiliate = idOf(meta.get(affiliateCouponKey)) ?? 0;
      const coupon = insertInto(store.coupons, {
        id,
        code,
        user_id: plan.affiliates.users.get(affiliate) ?? null,
        coupon_parent_id: null,
        ...terms,
        status: isOn && isKept ? 'active' : 'pending',
        deleted_at: post.post_status === 'trash' ? createdAt : null,
        created_at: createdAt,
        updated_at: createdAt,
      });
      const reasons = [
        ...codeReasons(title, code),
        ...because({ 'impossible-settings': !isPossible, 'switched-off': !isPossible }),
        ...values.reasons,
        ...because({
          'switched-off': isOn && !isKept,
          'no-counterpart': hasMore,
          'uses-differ': (uses.get(id) ?? 0) !== wholeOf(meta.get('usage_count') || '0'),
        }),
      ];
      return { rows: [coupon], reasons, detail: renamedCode(title, code) };
    };
  },
});

function termsOf(
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
function usesOf(
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

function ruleOf(
  meta: Meta,
  values: SaleValues,
  { productOf, inCategory }: Catalogue,
  user_ids: readonly number[],
): store.CouponRule | undefined {
  const products = (ids: string, categories: string) => [
    ...new Set([
      ...idsIn(meta.get(ids)).map(productOf),
      ...idsIn(meta.get(categories)).flatMap((category) => inCategory(category)),
    ]),
  ];
  const only = products('product_ids', 'product_categories');
  // An empty list would mean every product.
  if (only.length === 0 && idsIn(meta.get('product_categories')).length > 0) return undefined;
  return store.CouponRule.safeParse({
    ...store.noRule,
    apply_only: only,
    cant_apply: products('exclude_product_ids', 'exclude_product_categories'),
    minimum_amount: values.amount(meta.get('minimum_amount')),
    user_ids: [...new Set(user_ids)],
  }).data;
}

/** Tells if a coupon has conditions that the store lacks. */
const isBoundToMore = (meta: Meta, values: SaleValues) =>
  ['product_categories', 'exclude_product_categories'].some(
    (key) => idsIn(meta.get(key)).length > 0,
  ) ||
  meta.get('exclude_sale_items') === 'yes' ||
  values.number(meta.get('maximum_amount')) > 0 ||
  values.number(meta.get('limit_usage_to_x_items')) > 0;

/** Ids in a list, separated by commas or serialised. */
function idsIn(list: string | undefined): number[] {
  const serialised = phpArray(list ?? null);
  const texts = serialised ? Object.values(serialised).map(asText) : (list ?? '').split(',');
  return texts.flatMap((text) => idOf(text) ?? []);
}

const emailsOf = (meta: Meta): string[] =>
  Object.values(phpArray(meta.get('customer_email') ?? null) ?? {}).map(asText);

function categoryReader(staging: StagedShop): (category: number) => readonly number[] {
  return (category) => [
    ...idsOf(
      staging,
      `select r.object_id as id from term_taxonomy x
         join term_relationships r on r.term_taxonomy_id = x.term_taxonomy_id
         join posts p on p.ID = r.object_id and p.post_type = 'product'
        where x.taxonomy = 'product_cat' and x.term_id = '${category}' order by cast(p.ID as integer)`,
    ),
  ];
}
