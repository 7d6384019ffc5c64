import { productStock } from '../../../../src/exports/store.ts';
import { type NewRow, insertInto } from '../mapped.ts';
import type { SaleValues } from '../sale-values.ts';
import type { Plan } from './plan.ts';

type Meta = ReadonlyMap<string, string>;

/** The stock that a product or a variation has by itself. */
export interface OwnStock {
  /** True if it has units of its own, counted or sold beyond their number. */
  readonly isManaged: boolean;
  /** Units left, at least 0; null if they aren't counted. */
  readonly units: number | null;
}

interface StockedVariation {
  readonly id: number;
  readonly price: number | null;
  readonly isActive: boolean;
  readonly stock: OwnStock;
}

/** Reads a stock. WooCommerce sells what isn't marked as sold out, up to the units of which it takes no backorders. */
export function ownStock(meta: Meta, { countsStock }: Plan, values: SaleValues): OwnStock {
  const isManaged = countsStock && meta.get('_manage_stock') === 'yes';
  const isSoldOut = meta.get('_stock_status') === 'outofstock';
  const isBackordered = ['yes', 'notify'].includes(meta.get('_backorders') ?? '');
  if (!isManaged) return { isManaged, units: isSoldOut ? 0 : null };
  if (isBackordered && !isSoldOut) values.note('backorders');
  if (isBackordered) return { isManaged, units: isSoldOut ? 0 : null };
  const isOwed = Number(meta.get('_stock')) < 0;
  if (isOwed) values.note('stock-owed');
  const units = isOwed ? 0 : values.whole(meta.get('_stock'));
  if (isSoldOut && units > 0) values.note('sold-out');
  return { isManaged, units: isSoldOut ? 0 : units };
}

/** The units left in a product's counters, by option; '' is the product itself. */
type Counters = ReadonlyMap<string, number>;

/**
 * Returns the counters of a product. In the shop a variation has units of its own, or takes those of the product. In the
 * store, a counter of the product limits all variants.
 * @param read reads the product's own stock
 */
export function countersOf(
  variations: readonly StockedVariation[],
  values: SaleValues,
  read: () => OwnStock,
): Counters {
  const offered = variations.filter(({ isActive, price }) => isActive && price !== null);
  const isUsed = offered.length === 0 || offered.some(({ stock }) => !stock.isManaged);
  const own = isUsed ? read() : undefined;
  const isShared = own?.isManaged === true;
  if (isShared && own.units !== null && offered.some(({ stock }) => stock.isManaged))
    values.note('stock-shared');
  const units = new Map<string, number>();
  // The mark of a product without units follows those of its variations.
  if (own && own.units !== null && (isShared || variations.length === 0)) units.set('', own.units);
  for (const { id, stock } of variations) {
    // The shop marks variations as sold out with the product whose units they take.
    const isMarked = isShared && !stock.isManaged && own.units === 0;
    if (stock.units !== null && !isMarked) units.set(String(id), stock.units);
  }
  return units;
}

export const stockRows = (product_id: number, counters: Counters): NewRow[] =>
  [...counters].map(([option_id, units]) =>
    insertInto(productStock, { product_id, option_id, units }),
  );

interface ProductStock {
  readonly counters: Counters;
  readonly isManaged: boolean;
}

/** Returns the counter that a line's units were taken from: the variation's own, otherwise the product's. */
export function takenFrom(
  { counters, isManaged }: ProductStock,
  variation: StockedVariation | undefined,
): readonly string[] {
  const id = variation?.stock.isManaged ? String(variation.id) : isManaged ? '' : undefined;
  return id !== undefined && counters.has(id) ? [id] : [];
}
