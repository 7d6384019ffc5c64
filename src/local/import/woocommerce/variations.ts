import type { Reason } from '../reasons.ts';
import { amountOf, idOf } from '../values.ts';
import { metaReader, plainText } from '../wordpress-meta.ts';
import type { Shop } from './gathered.ts';
import type { Plan } from './plan.ts';

/** One of the forms that a product is sold in. */
export interface Variation {
  readonly id: number;
  readonly productId: number;
  /** What it is told by: `Size: Small, Colour: Blue`. */
  readonly label: string;
  /** What it differs in: `size, colour`. */
  readonly attributes: string;
  /** In the smallest unit of the currency; null where it has none, and isn't sold. */
  readonly price: number | null;
  /** Null where it is the product's. */
  readonly weight_g: number | null;
  readonly sku: string;
  /** Units left; null where they aren't counted. */
  readonly stock: number | null;
  readonly isActive: boolean;
  /** Why its price isn't what the shop says. */
  readonly priced: readonly Reason[];
}

/** The shop's variations that aren't in its bin, by their ids, in the order in which they are shown. */
export function readVariations(staging: Shop, plan: Plan): ReadonlyMap<number, Variation> {
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
    const [said, read] = [meta.get('_price'), amountOf(meta.get('_price') || null, plan.exponent)];
    const price = said && read && read.units >= 0 ? read.units : null;
    const label = plainText(post['post_excerpt'] || post['post_title'] || '');
    variations.set(id, {
      id,
      productId: idOf(post['post_parent']) ?? 0,
      label: label.slice(0, 500) || `Variation ${id}`,
      attributes: attributesOf(meta),
      price,
      weight_g: meta.get('_weight') ? gramsOf(meta, plan) : null,
      sku: (meta.get('_sku') ?? '').slice(0, 500),
      stock: stockOf(meta),
      isActive: post['post_status'] === 'publish',
      priced: [
        ...(said && price === null ? (['value-impossible'] as const) : []),
        ...(read?.rounded ? (['amount-rounded'] as const) : []),
      ],
    });
  }
  return variations;
}

const attributesOf = (meta: ReadonlyMap<string, string>) =>
  [...meta.keys()]
    .filter((key) => key.startsWith('attribute_'))
    .map((key) => key.replace(/^attribute_(pa_)?/, '').replaceAll('-', ' '))
    .join(', ')
    .slice(0, 500);

/** What an item weighs. */
export const gramsOf = (meta: ReadonlyMap<string, string>, { grams }: Plan): number =>
  Math.round(Number(meta.get('_weight') || 0) * grams) || 0;

/** Units left, none below 0; null where they aren't counted. */
export const stockOf = (meta: ReadonlyMap<string, string>): number | null =>
  meta.get('_manage_stock') === 'yes'
    ? Math.max(0, Math.floor(Number(meta.get('_stock')) || 0))
    : null;
