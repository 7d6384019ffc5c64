import type * as z from 'zod';
import { ProductParts, defaultParts } from '../../../schema/product-parts.ts';
import { productStock, products } from '../../../schema/products.ts';
import { commissionReader } from '../affiliatewp/rates.ts';
import {
  type Mapped,
  type NewRow,
  type StepContext,
  imported,
  insertInto,
  withReasons,
} from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { SaleValues } from '../sale-values.ts';
import { slugChange, slugsOf, uniqueSlugs } from '../slugs.ts';
import { amountOf, utcOf } from '../values.ts';
import { description, plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { unknownProduct } from './gathered.ts';
import type { Plan } from './plan.ts';
import type { woocommerce } from './source.ts';
import { type Variation, gramsOf, readVariations, stockOf } from './variations.ts';

type Context = StepContext<typeof woocommerce, Plan>;
type Meta = ReadonlyMap<string, string>;
type Post = Readonly<Record<string, string | null>>;

/** What the shop sells, that in its bin as deleted. */
export function* productsStep(context: Context): Generator<Mapped> {
  const { staging, plan, numbers, now } = context;
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const variationsOf = Map.groupBy(
    readVariations(staging, plan).values(),
    ({ productId }) => productId,
  );
  const typeOf = typeReader(staging);
  const priceOf = priceReader(staging);
  const slugOf = uniqueSlugs(slugsOf(staging, 'product'));
  const commissionOf = commissionReader(staging, plan.affiliates, 'woocommerce');
  const posts = staging.database
    .prepare(`select * from posts where post_type = 'product' order by cast(ID as integer)`)
    .iterate() as Iterable<Post>;
  for (const post of posts) {
    const id = Number(post['ID']);
    const meta = metaOf(id);
    const type = typeOf(id);
    const variations = type === 'variable' ? (variationsOf.get(id) ?? []) : [];
    const values = new SaleValues(plan.exponent);
    const own = values.amount(priceOf(id));
    const price = lowestOf(variations) ?? own;
    const regular = amountOf(meta.get('_regular_price') ?? null, plan.exponent)?.units ?? 0;
    const { parts, reasons, ...made } = partsOf(meta, { variations, lowest: price, plan, values });
    const affiliate = commissionOf(meta, values);
    const stock = stockRows(id, meta, variations, values);
    const read = [values, ...variations.map((one) => one.values)];
    const isWhole = made.isWhole && read.every(({ isReadable }) => isReadable);
    const isPriced =
      type === 'variable' ? lowestOf(variations) !== undefined : priceOf(id) !== null;
    const createdAt = utcOf(post['post_date_gmt'] ?? null) ?? now;
    // What is sold elsewhere, or only as its parts, has no price of its own.
    const isSold = type !== 'grouped' && type !== 'external';
    numbers.above(products, id);
    const slug = slugOf(post['post_name'] ?? '', id);
    const renaming = slugChange(post, slug);
    const row = insertInto(products, {
      ...defaultParts,
      ...parts,
      affiliate,
      id,
      title: plainText(post['post_title'] ?? '').slice(0, 300) || `Product ${id}`,
      slug,
      status: isSold && isWhole ? (statuses[post['post_status'] ?? ''] ?? 'draft') : 'draft',
      type: isPhysical(meta) ? 'physical' : 'digital',
      payment_type: 'one-time',
      description: description(post['post_content'] ?? '').slice(0, 20_000),
      excerpt: description(post['post_excerpt'] ?? '').slice(0, 5000),
      price,
      regular_price: variations.length === 0 && regular > price ? regular : null,
      currency: plan.currency,
      enable_sale: isPriced,
      meta: { import: { source: 'woocommerce', type, sku: meta.get('_sku') || undefined } },
      deleted_at: post['post_status'] === 'trash' ? createdAt : null,
      created_at: createdAt,
      updated_at: createdAt,
    });
    yield withReasons(
      imported('products', id, [id], [row, ...stock]),
      [
        ...read.flatMap((one) => one.reasons),
        ...(isWhole ? [] : (['not-on-sale'] as const)),
        ...(isPriced || !isSold ? [] : (['no-price'] as const)),
        ...(isSold ? [] : (['no-counterpart'] as const)),
        ...reasons,
        ...renaming.reasons,
      ],
      renaming.detail,
    );
  }
  yield* gone(context, slugOf);
}

const statuses: Readonly<Record<string, 'publish' | 'private'>> = {
  publish: 'publish',
  private: 'private',
};

/** What the cheapest form that is sold costs; undefined where none is. */
const lowestOf = (variations: readonly Variation[]): number | undefined =>
  variations
    .flatMap(({ price, isActive }) => (isActive ? (price ?? []) : []))
    .sort((a, b) => a - b)[0];

/** The lowest of the prices that the shop keeps of a product: one of several products has those of all. */
function priceReader({ database }: Context['staging']): (id: number) => string | null {
  const select = database.prepare(
    `select meta_value as price from postmeta where post_id = ? and meta_key = '_price' and meta_value <> ''
      order by cast(meta_value as real) limit 1`,
  );
  return (id) => {
    const price = select.get(String(id))?.['price'];
    return price == null ? null : String(price);
  };
}

const isPhysical = (meta: Meta) =>
  meta.get('_virtual') !== 'yes' && meta.get('_downloadable') !== 'yes';

/** What a product is there, by its id: `simple`, `variable`. */
function typeReader({ database }: Context['staging']): (id: number) => string {
  const select = database.prepare(
    `select t.slug from term_relationships r
       join term_taxonomy x on x.term_taxonomy_id = r.term_taxonomy_id and x.taxonomy = 'product_type'
       join terms t on t.term_id = x.term_id
      where r.object_id = ?`,
  );
  return (id) => String(select.get(String(id))?.['slug'] ?? 'simple');
}

/** The parts of a product, and the reader of its values. */
interface Sold {
  readonly variations: readonly Variation[];
  /** The price of the cheapest of them. */
  readonly lowest: number;
  readonly plan: Plan;
  readonly values: SaleValues;
}

/** The parts of a product, each as the store takes them; one that it doesn't is left out, and said. */
function partsOf(
  meta: Meta,
  { variations, lowest, plan, values }: Sold,
): { parts: Partial<ProductParts>; isWhole: boolean; reasons: Reason[] } {
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
  const wanted = {
    shipping: { ...defaultParts.shipping, active: isPhysical(meta), weight_g: weight },
    variants: priced.length === 0 ? [] : [group],
  };
  const shapes: Readonly<Record<string, z.ZodType>> = ProductParts.shape;
  const good = Object.entries(wanted).filter(
    ([name, part]) => shapes[name]?.safeParse(part).success,
  );
  const isWhole = good.length === Object.keys(wanted).length;
  return {
    parts: Object.fromEntries(good),
    isWhole,
    reasons: [
      ...(isWhole ? [] : (['impossible-settings'] as const)),
      ...(priced.length === variations.length ? [] : (['no-price'] as const)),
      // What it costs to ship, and which taxes there are, the shop decides by where its buyers are.
      ...(wanted.shipping.active || (plan.hasTaxes && meta.get('_tax_status') === 'taxable')
        ? (['no-counterpart'] as const)
        : []),
    ],
  };
}

/** Units left of what counts them, of the product and of its variations. */
function stockRows(
  product_id: number,
  meta: Meta,
  variations: readonly Variation[],
  values: SaleValues,
): NewRow[] {
  const counters = [
    { option_id: '', units: stockOf(meta, values) },
    ...variations.map(({ id, stock }) => ({ option_id: String(id), units: stock })),
  ];
  return counters.flatMap(({ option_id, units }) =>
    units === null ? [] : [insertInto(productStock, { product_id, option_id, units })],
  );
}

/** Products that are gone and that lines name, then the one that lines without a product are on. */
function* gone(
  { staging, plan, numbers, now }: Context,
  slugOf: ReturnType<typeof uniqueSlugs>,
): Generator<Mapped> {
  const unknown = unknownProduct(staging);
  const missing = staging.database
    .prepare(
      `select product, title from sold
        where product not in (select cast(ID as integer) from posts where post_type = 'product')
        order by product = 0, product`,
    )
    .iterate();
  for (const { product, title } of missing) {
    const isKnown = product !== 0;
    const id = isKnown ? Number(product) : unknown;
    numbers.above(products, id);
    const row = insertInto(products, {
      ...defaultParts,
      id,
      title:
        plainText(isKnown ? String(title ?? '') : 'Imported items').slice(0, 300) ||
        `Deleted product ${id}`,
      slug: slugOf(`deleted-product-${id}`, id),
      status: 'draft',
      currency: plan.currency,
      enable_sale: false,
      deleted_at: now,
      created_at: now,
      updated_at: now,
    });
    yield {
      ...imported('products', Number(product), [id], [row]),
      outcome: 'placeholder',
      reasons: [isKnown ? 'deleted-in-source' : 'product-unknown'],
    };
  }
}
