import * as store from '../../../../src/exports/store.ts';
import { commissionReader } from '../affiliatewp/rates.ts';
import { type ImportedRow, type MappedRow, because, insertInto, mapped } from '../mapped.ts';
import { fileImporter, filesIn } from '../records/file.ts';
import { subscriptionOf } from '../records/recurrence.ts';
import { type Post, acceptedParts, goneProduct, postColumns } from '../records/product.ts';
import type { Reason } from '../reasons.ts';
import { SaleValues } from '../sale-values.ts';
import { postRows, postsOf } from '../step.ts';
import { slugChange, slugsOf, uniqueSlugs } from '../slugs.ts';
import { amountOf, utcOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { noteDownloads } from './downloads.ts';
import { type StagedShop, unknownProduct } from './gathered.ts';
import { licenseReader } from './licensing.ts';
import type { Context, Plan, WooStep } from './plan.ts';
import { isSubscription, recurrenceOf } from './recurrence.ts';
import { countersOf, ownStock, stockRows } from './stock.ts';
import {
  type Variation,
  gramsOf,
  isPhysical,
  priceIn,
  readVariations,
  variationsOnSale,
} from './variations.ts';

type Meta = ReadonlyMap<string, string>;

/** Imports products, trashed ones as deleted. */
export const productsStep: WooStep = {
  entity: 'products',
  ids: [
    { entity: 'products', ...postsOf('product') },
    { entity: 'products', ...postsOf('product_variation'), isPart: true },
  ],
  *map(context) {
    const slugOf = uniqueSlugs(slugsOf(context.staging, 'product'));
    const read = productReader(context);
    for (const post of postRows(context.staging, 'product')) {
      const id = Number(post['ID']);
      yield mapped('products', id, read(post, id, slugOf(post['post_name'] ?? '', id)));
    }
    yield* gone(context, slugOf);
  },
};

function productReader({ staging, plan, now }: Context) {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const filesOf = fileImporter();
  const variationsOf = Map.groupBy(
    readVariations(staging, plan).values(),
    ({ productId }) => productId,
  );
  const typeOf = typeReader(staging);
  const priceOf = priceReader(staging);
  const commissionOf = commissionReader(staging, plan.affiliates, 'woocommerce');
  const licenseOf = licenseReader(staging);
  return (post: Post, id: number, slug: string): ImportedRow => {
    const meta = metaOf(id);
    const type = typeOf(id);
    const isVariable = type.startsWith('variable');
    const variations = isVariable ? (variationsOf.get(id) ?? []) : [];
    const values = new SaleValues(plan.exponent);
    const own = priceIn(meta, values, priceOf(id));
    const lowest = lowestOf(variations);
    const price = lowest ?? own ?? 0;
    const offer = offerOf(type, isVariable ? variations : { meta, values });
    const { isShipped, isPartly } = shippingOf(meta, variations);
    const sold = { variations, lowest: price, plan, values, isShipped, ...offer };
    const { parts, reasons, ...made } = partsOf(meta, sold);
    const enable_quantity = meta.get('_sold_individually') !== 'yes';
    const sales = variations.flatMap((one) => (one.price === null ? [] : metaOf(one.id)));
    const rated = { id, meta, variations: sales };
    const affiliate = commissionOf(rated, values, enable_quantity && !isSubscription(type));
    const licensing = licenseOf(id, type, meta, values);
    const stock = stockRows(
      id,
      countersOf(variations, values, () => ownStock(meta, plan, values)),
    );
    const createdAt = utcOf(post['post_date_gmt'] ?? null) ?? now;
    const files = filesOf(id, createdAt, [
      ...filesIn(meta.get('_downloadable_files'), () => null),
      ...variations.flatMap((one) => one.files),
    ]);
    const read = [values, ...variations.map((one) => one.values)];
    const isWhole = made.isWhole && read.every(({ isReadable }) => isReadable);
    const isPriced = isVariable ? lowest !== undefined : own !== null;
    // A product that is sold elsewhere, or only as its parts, has no price of its own.
    const isSold = type !== 'grouped' && type !== 'external' && offer.isSold;
    const row = insertInto(store.products, {
      ...store.defaultParts,
      ...parts,
      ...postColumns(post, id, createdAt, isSold && isWhole),
      affiliate,
      license: licensing.license,
      slug,
      type: isShipped ? 'physical' : 'digital',
      payment_type: isSubscription(type) ? 'recurring' : 'one-time',
      price,
      regular_price: regularPrice(meta, plan, variations.length === 0 ? price : Infinity),
      currency: plan.currency,
      enable_quantity,
      enable_sale: isPriced,
      meta: { import: { source: 'woocommerce', type, sku: meta.get('_sku') || undefined } },
    });
    const renaming = slugChange(post, slug);
    const said = because({
      'not-on-sale': !isWhole,
      'no-price': !isPriced && isSold,
      'no-counterpart': !isSold || !files.isWhole,
      'partly-shipped': isPartly,
    });
    return {
      rows: [row, ...stock, ...files.rows],
      reasons: [
        ...read.flatMap((one) => one.reasons),
        ...said,
        ...reasons,
        ...licensing.reasons,
        ...renaming.reasons,
      ],
      detail: renaming.detail,
    };
  };
}

/** Reads the terms of a product, and tells if the store can sell it on them. */
export function offerOf(
  type: string,
  of: readonly Variation[] | { readonly meta: Meta; readonly values: SaleValues },
) {
  const usual = store.defaultParts.subscription;
  if (!isSubscription(type)) return { subscription: usual, isSold: true };
  const prices =
    'meta' in of
      ? [recurrenceOf(of.meta, of.values)]
      : of.flatMap(({ price, recurrence }) => (price === null ? [] : recurrence()));
  const subscription = subscriptionOf(prices);
  return { subscription: subscription ?? usual, isSold: subscription !== undefined };
}

/** Tells if a product is shipped, and if only some of its variations are: their parent's settings don't count. */
function shippingOf(meta: Meta, variations: readonly Variation[]) {
  const shipped = variationsOnSale(variations).map(({ isPhysical }) => isPhysical);
  const isShipped = shipped.length > 0 ? shipped.includes(true) : isPhysical(meta);
  return { isShipped, isPartly: isShipped && shipped.includes(false) };
}

/** The crossed-out price, if it is above the current one. */
function regularPrice(meta: Meta, { exponent }: Plan, price: number): number | null {
  const regular = amountOf(meta.get('_regular_price') ?? null, exponent)?.units ?? 0;
  return regular > price ? regular : null;
}

/** Returns the price of the cheapest active variation; undefined if there is none. */
export const lowestOf = (variations: readonly Variation[]): number | undefined =>
  variations
    .flatMap(({ price, isActive }) => (isActive ? (price ?? []) : []))
    .sort((a, b) => a - b)[0];

/**
 * Returns the lowest price that the shop stored for a product. A grouped product has the prices of
 * all its products.
 */
export function priceReader({ database }: StagedShop): (id: number) => string | null {
  const select = database.prepare(
    `select meta_value as price from postmeta where post_id = ? and meta_key = '_price' and meta_value <> ''
      order by cast(meta_value as real) limit 1`,
  );
  return (id) => {
    const price = select.get(String(id))?.['price'];
    return price == null ? null : String(price);
  };
}

/** Returns the type of a product by its id: `simple`, `variable`. */
export function typeReader({ database }: StagedShop): (id: number) => string {
  const select = database.prepare(
    `select t.slug from term_relationships r
       join term_taxonomy x on x.term_taxonomy_id = r.term_taxonomy_id and x.taxonomy = 'product_type'
       join terms t on t.term_id = x.term_id
      where r.object_id = ?`,
  );
  return (id) => String(select.get(String(id))?.['slug'] ?? 'simple');
}

interface Sold {
  readonly variations: readonly Variation[];
  /** The price of the cheapest of them. */
  readonly lowest: number;
  readonly plan: Plan;
  readonly values: SaleValues;
  readonly isShipped: boolean;
  readonly subscription: store.ProductParts['subscription'];
}

/** Reads the parts of a product. A part that the store refuses is left out and reported. */
function partsOf(
  meta: Meta,
  { variations, lowest, plan, values, isShipped, subscription }: Sold,
): { parts: Partial<store.ProductParts>; isWhole: boolean; reasons: Reason[] } {
  if (variations.length === 0) noteDownloads(meta, values);
  const weight = gramsOf(meta, plan, values);
  const priced = variations.flatMap(({ price, ...variation }) =>
    price === null ? [] : [{ ...variation, price }],
  );
  const group = {
    id: 'variation',
    key: 'variation',
    label: priced[0]?.attributes ?? '',
    required: true,
    options: priced.map(({ id, label, price, weight_g, sku, isActive }) => ({
      id: String(id),
      key: String(id),
      label,
      extra_price: price - lowest,
      extra_weight: weight_g === null ? 0 : weight_g - weight,
      sku,
      stock: null,
      active: isActive,
    })),
  };
  const isTaxed = plan.hasTaxes && (meta.get('_tax_status') || 'taxable') === 'taxable';
  const wanted = {
    tax: { ...store.defaultParts.tax, inclusive: isTaxed && plan.isTaxIncluded },
    shipping: { ...store.defaultParts.shipping, active: isShipped, weight_g: weight },
    variants: priced.length === 0 ? [] : [group],
    subscription,
  };
  const { parts, isWhole } = acceptedParts(wanted);
  const reasons = because({
    'impossible-settings': !isWhole,
    'no-price': priced.length !== variations.length,
    // The shop decides shipping costs and taxes by the buyer's place.
    'shipping-missing': wanted.shipping.active,
    'tax-missing': isTaxed,
  });
  return { parts, isWhole, reasons };
}

/** Imports missing products that lines name, then the placeholder for lines without a product. */
function* gone(
  { staging, plan, now }: Context,
  slugOf: ReturnType<typeof uniqueSlugs>,
): Generator<MappedRow> {
  const unknown = unknownProduct(staging);
  const missing = staging.database
    .prepare(
      `select product, title from sold
        where product not in (select cast(ID as integer) from posts where post_type = 'product')
        order by product = 0, product`,
    )
    .iterate();
  for (const { product, title: said } of missing) {
    const isKnown = product !== 0;
    const id = isKnown ? Number(product) : unknown;
    const title = plainText(isKnown ? String(said ?? '') : 'Imported items').slice(0, 300);
    const slug = slugOf(`deleted-product-${id}`, id);
    const made = goneProduct(id, { ...plan, title, slug, at: now });
    yield mapped(
      'products',
      Number(product),
      isKnown ? made : { ...made, reasons: ['product-unknown'] },
    );
  }
}
