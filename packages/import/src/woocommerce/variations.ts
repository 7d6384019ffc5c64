import { filesIn } from '../records/file.ts';
import type { Recurrence } from '../records/recurrence.ts';
import { SaleValues } from '../sale-values.ts';
import { idOf, isTruthy } from '../values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { noteDownloads } from './downloads.ts';
import type { StagedShop } from './gathered.ts';
import type { Plan } from './plan.ts';
import { recurrenceOf } from './recurrence.ts';
import { type OwnStock, ownStock } from './stock.ts';

export interface Variation {
  readonly id: number;
  readonly productId: number;
  /** The text that identifies it: `Size: Small, Colour: Blue`. */
  readonly label: string;
  /** The names of its attributes: `size, colour`. */
  readonly attributes: string;
  /** In the smallest unit of the currency; null if it has none, and isn't sold. */
  readonly price: number | null;
  /** Null if it is the product's. */
  readonly weight_g: number | null;
  readonly sku: string;
  readonly stock: OwnStock;
  readonly isActive: boolean;
  readonly isPhysical: boolean;
  readonly files: ReturnType<typeof filesIn>;
  /** Reads its terms if it is a subscription. */
  readonly recurrence: () => Recurrence;
  readonly values: SaleValues;
}

/** The shop's variations outside its bin, by their ids, in display order. */
export function readVariations(staging: StagedShop, plan: Plan): ReadonlyMap<number, Variation> {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const posts = staging.database
    .prepare(
      `select * from posts where post_type = 'product_variation' and post_status <> 'trash'
        order by cast(menu_order as integer), cast(ID as integer)`,
    )
    .iterate() as Iterable<Readonly<Record<string, string | null>>>;
  const variations = new Map<number, Variation>();
  for (const post of posts) {
    const id = Number(post['ID']);
    const meta = metaOf(id);
    const values = new SaleValues(plan.exponent);
    noteDownloads(meta, values);
    const label = plainText(post['post_excerpt'] || post['post_title'] || '');
    variations.set(id, {
      id,
      productId: idOf(post['post_parent']) ?? 0,
      label: label.slice(0, 500) || `Variation ${id}`,
      attributes: attributesOf(meta),
      files: filesIn(meta.get('_downloadable_files'), () => String(id)),
      price: priceIn(meta, values, meta.get('_price')),
      weight_g: meta.get('_weight') ? gramsOf(meta, plan, values) : null,
      sku: (meta.get('_sku') ?? '').slice(0, 500),
      stock: ownStock(meta, plan, values),
      isActive: post['post_status'] === 'publish',
      isPhysical: isPhysical(meta),
      recurrence: () => recurrenceOf(meta, values),
      values,
    });
  }
  return variations;
}

/** The variations that are for sale, or all if none is. */
export function variationsOnSale(variations: readonly Variation[]): readonly Variation[] {
  const onSale = variations.filter(({ isActive, price }) => isActive && price !== null);
  return onSale.length > 0 ? onSale : variations;
}

/** Tells if a product without variations, or a variation, is shipped. */
export const isPhysical = (meta: ReadonlyMap<string, string>): boolean =>
  meta.get('_virtual') !== 'yes' && meta.get('_downloadable') !== 'yes';

/**
 * Reads the price of a product or a variation; null if it has none. The store has no prices by date, so a sale that
 * ends, or hasn't begun yet, is left out.
 * @param stored the price that the shop asks today
 */
export function priceIn(
  meta: ReadonlyMap<string, string>,
  values: SaleValues,
  stored: string | null | undefined,
): number | null {
  const sale = meta.get('_sale_price');
  const isAhead = isTruthy(meta.get('_sale_price_dates_from')) && Number(sale) !== Number(stored);
  const isByDate = sale && (isAhead || isTruthy(meta.get('_sale_price_dates_to')));
  if (isByDate) values.note('sale-by-date');
  const price = isByDate ? meta.get('_regular_price') : stored;
  return price ? values.amount(price) : null;
}

const attributesOf = (meta: ReadonlyMap<string, string>) =>
  [...meta.keys()]
    .filter((key) => key.startsWith('attribute_'))
    .map((key) => key.replace(/^attribute_(pa_)?/, '').replaceAll('-', ' '))
    .join(', ')
    .slice(0, 500);

export const gramsOf = (
  meta: ReadonlyMap<string, string>,
  { grams }: Plan,
  values: SaleValues,
): number => Math.round(values.number(meta.get('_weight')) * grams);
