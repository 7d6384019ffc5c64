import { type ProductParts, defaultParts, products } from '../../../../src/exports/store.ts';
import { commissionReader } from '../affiliatewp/rates.ts';
import { type ImportedRow, type MappedRow, because, insertInto, mapped } from '../mapped.ts';
import { type FileEntry, fileImporter, filesIn } from '../records/file.ts';
import { type Post, goneProduct, postColumns } from '../records/product.ts';
import { type Recurrence, type Span, subscriptionOf } from '../records/recurrence.ts';
import { SaleValues } from '../sale-values.ts';
import { postRows } from '../step.ts';
import { slugChange, slugsOf, uniqueSlugs } from '../slugs.ts';
import { asArray, asText, idOf, isTruthy, phpArray, utcOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import type { PhpArray } from '../serialized.ts';
import { metaReader, optionsOf } from '../wordpress-meta.ts';
import { type OptionLicense, licenseOf } from './licensing.ts';
import type { Context, EddStep } from './plan.ts';
import { recurrenceOfDownload, recurrenceOfOption } from './recurrence.ts';

type Meta = ReadonlyMap<string, string>;

export interface PriceOption extends OptionLicense {
  /** The plugin's `price_id`. */
  readonly id: string;
  readonly name: string;
  /** In the smallest unit. */
  readonly amount: number;
  /** Null if it is charged once. */
  readonly recurrence: Recurrence | null;
}

/** The price of a download; with options, the price of the cheapest. */
export interface Pricing {
  readonly price: number;
  readonly options: readonly PriceOption[];
  /** The terms of a download without options; null if it is charged once. */
  readonly recurrence: Recurrence | null;
}

/** Splits the name of an item: the plugin appends the option to the product's title. */
export function soldAs(name: string | null): { readonly product: string; readonly option: string } {
  const [product = '', ...option] = plainText(name ?? '').split(' — ');
  return { product, option: option.join(' — ') };
}

/** The terms at each price of a download. */
const pricesOf = ({ options, recurrence }: Pricing) =>
  options.length > 0 ? options.map((option) => option.recurrence) : [recurrence];

export const priceGroup = 'price';
export const optionId = (id: string) => `option-${id}`;

export function pricingOf(meta: Meta, values: SaleValues): Pricing {
  if (!isTruthy(meta.get('_variable_pricing')))
    return {
      price: values.amount(meta.get('edd_price')),
      options: [],
      recurrence: recurrenceOfDownload(meta, values),
    };
  const list = phpArray(meta.get('edd_variable_prices') ?? null) ?? {};
  const options = Object.entries(list).map(([id, value]) => {
    const option = asArray(value) ?? {};
    const limit = asText(option['license_limit']);
    return {
      id,
      name: plainText(asText(option['name'])).slice(0, 500),
      amount: values.amount(asText(option['amount'])),
      licenseLimit: limit === '' ? undefined : values.whole(limit),
      isForLife: isTruthy(asText(option['is_lifetime'])),
      recurrence: recurrenceOfOption(option, values),
    };
  });
  if (options.length > 0)
    return { price: Math.min(...options.map(({ amount }) => amount)), options, recurrence: null };
  // The product is sold by options, but has none.
  values.unreadable();
  return { price: values.amount(meta.get('edd_price')), options, recurrence: null };
}

/** Imports products, trashed ones as deleted, then missing ones that other rows name. */
export const productsStep: EddStep = {
  entity: 'products',
  ids: [{ entity: 'products', table: 'posts' }],
  *map(context) {
    const { staging, plan } = context;
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    const slugOf = uniqueSlugs(slugsOf(staging, 'download'));
    const commissionOf = commissionReader(staging, plan.affiliates, 'edd');
    const hasQuantities = quantityReader(context);
    const filesOf = fileImporter();
    const ids = new Set<number>();
    for (const post of postRows(staging, 'download')) {
      const id = Number(post['ID']);
      const meta = metaOf(id);
      const values = new SaleValues(plan.exponent);
      const pricing = pricingOf(meta, values);
      const enable_quantity = hasQuantities(meta);
      const affiliate = commissionOf({ id, meta, variations: [] }, values, enable_quantity);
      const slug = slugOf(post['post_name'] ?? '', id);
      ids.add(id);
      const made = productOf(
        post,
        { id, slug, meta, affiliate, enable_quantity, pricing, values, filesOf },
        context,
      );
      yield mapped('products', id, made);
    }
    yield* gone(context, ids, slugOf);
  },
};

/** Returns a function that tells if more than one item of a download can be bought at once. */
function quantityReader({ staging }: Context): (meta: Meta) => boolean {
  const settings = JSON.parse(optionsOf(staging).get('edd_settings') || '{}') as PhpArray;
  return (meta) =>
    isTruthy(settings['item_quantities']) && !isTruthy(meta.get('_edd_quantities_disabled'));
}

/** Finds the term for which a download renews as it is imported. */
export function presentTermReader({ staging, plan }: Context): (product: number) => Span {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  return (id) => {
    const pricing = pricingOf(metaOf(id), new SaleValues(plan.exponent));
    return (subscriptionOf(pricesOf(pricing)) ?? defaultParts.subscription).regular;
  };
}

interface ReadProduct {
  readonly id: number;
  readonly slug: string;
  readonly meta: Meta;
  readonly affiliate: ProductParts['affiliate'];
  readonly enable_quantity: boolean;
  readonly pricing: Pricing;
  readonly values: SaleValues;
  readonly filesOf: ReturnType<typeof fileImporter>;
}

function productOf(
  post: Post,
  { id, slug, meta, affiliate, enable_quantity, pricing, values, filesOf }: ReadProduct,
  { plan, now }: Context,
): ImportedRow {
  const isBundle = meta.get('_edd_product_type') === 'bundle';
  const prices = pricesOf(pricing);
  const { license, isOfAll } = licenseOf(meta, pricing.options, values);
  const isRecurring = prices.some((recurrence) => recurrence !== null);
  const subscription = isRecurring ? subscriptionOf(prices) : defaultParts.subscription;
  const isTaxed = plan.hasTaxes && !isTruthy(meta.get('_edd_download_tax_exclusive'));
  const isSold = values.isReadable && subscription !== undefined && isOfAll;
  const at = utcOf(post['post_date_gmt'] ?? null) ?? utcOf(post['post_date'] ?? null) ?? now;
  const row = insertInto(products, {
    ...defaultParts,
    affiliate,
    enable_quantity,
    license,
    tax: { ...defaultParts.tax, inclusive: isTaxed && plan.isTaxIncluded },
    variants: variantsOf(pricing),
    ...(subscription && { subscription }),
    ...postColumns(post, id, at, isSold),
    slug,
    payment_type: isRecurring ? 'recurring' : 'one-time',
    price: pricing.price,
    currency: plan.currency,
    enable_sale: post['post_status'] === 'publish',
    meta: { import: { source: 'edd', ...(isBundle ? { bundle: bundledOf(meta) } : {}) } },
  });
  const renaming = slugChange(post, slug);
  const files = filesOf(id, at, filesIn(meta.get('edd_download_files'), conditionOf));
  const reasons = [
    ...values.reasons,
    ...because({
      'not-on-sale': !values.isReadable,
      'licences-differ': !isOfAll,
      'tax-missing': isTaxed,
      'no-counterpart': isBundle || !files.isWhole || !subscription,
    }),
    ...renaming.reasons,
  ];
  return { rows: [row, ...files.rows], reasons, detail: renaming.detail };
}

/** The price option of a file; null for all options. */
function conditionOf({ condition }: FileEntry): string | null {
  const id = asText(condition);
  return id === '' || id === 'all' ? null : optionId(id);
}

const bundledOf = (meta: Meta): string[] =>
  Object.values(phpArray(meta.get('_edd_bundled_products') ?? null) ?? {}).map(asText);

const variantsOf = ({ price, options }: Pricing): ProductParts['variants'] =>
  options.length === 0
    ? []
    : [
        {
          id: priceGroup,
          key: priceGroup,
          label: 'Price',
          required: true,
          options: options.slice(0, 100).map(({ id, name, amount }) => ({
            id: optionId(id),
            key: optionId(id),
            label: name,
            extra_price: amount - price,
            extra_weight: 0,
            sku: '',
            stock: null,
            active: true,
          })),
        },
      ];

function* gone(
  { staging, plan, now }: Context,
  ids: ReadonlySet<number>,
  slugOf: ReturnType<typeof uniqueSlugs>,
): Generator<MappedRow> {
  const mentioned = staging.database
    .prepare(
      `select id_of(product_id) as id, min(product_name) as name, max(price_id) as option from edd_order_items group by 1
       union all select id_of(download_id), null, null from edd_licenses
         where id_of(download_id) not in (
           select id_of(product_id) from edd_order_items where id_of(product_id) is not null) group by 1
       order by 1`,
    )
    .all();
  for (const row of mentioned) {
    const id = idOf(String(row['id']));
    if (id === null || ids.has(id)) continue;
    const text = row['name'] as string | null;
    const title = (row['option'] ? soldAs(text).product : plainText(text ?? '')).slice(0, 300);
    const slug = slugOf(`deleted-product-${id}`, id);
    yield mapped('products', id, goneProduct(id, { ...plan, title, slug, at: now }));
  }
}
