import { and, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import * as filter from '../kernel/database/filters.ts';
import { productStock, products } from '../schema/products.ts';
import { recordOf, selectRecords } from '../kernel/database/records.ts';
import { type Argument, type Write, build, guard, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { ofOrder } from './order-columns.ts';
import { type ProductRow, type Stock, unitsLeft } from '../domain/product/rules.ts';
import type { SettingsRow } from '../schema/platform.ts';
import type { ProductQuery } from '../domain/product/schemas.ts';
import { productsOfContent } from './access.ts';

const stock = sql<Stock>`(
  select coalesce(jsonb_object_agg(s.option_id, s.units), '{}')
    from product_stock s where s.product_id = "products"."id")`;

const productRecord = recordOf({ product: products, stock });

/** Products with their stock counters. */
export const selectProducts = () => selectRecords(productRecord).from(products);

const present = isNull(products.deleted_at);

/** A product by id; none if unknown or deleted. */
export const findProduct = (id: number | SQL) =>
  selectProducts().where(and(eq(products.id, id), present));

/** The id of the product with a slug; null if there is none. */
export const idOfSlug = (slug: Argument<string>) =>
  sql<number>`(select id from products where slug = ${slug} and deleted_at is null)`;

/** The newest published products, enough for a page of the shop. */
export const listPublished = () =>
  selectProducts()
    .where(and(eq(products.status, 'publish'), present))
    .orderBy(desc(products.id))
    .limit(60);

/** Returns whether a product is published, and, for a store without bank accounts, whether one is paid on delivery. */
export const findPublished = () =>
  raw<{ published: boolean; cod: boolean }>(sql`select
    exists(select from products where status = 'publish' and deleted_at is null) as published,
    exists(select from products where status = 'publish' and deleted_at is null
      and (cod ->> 'active')::boolean
      and (select manual_accounts = '[]' from settings)) as cod`);

/** Returns a row if a slug is taken. */
export const findSlug = (slug: string | undefined) =>
  build
    .select({ id: products.id })
    .from(products)
    .where(eq(products.slug, slug ?? ''));

/** The products that a text names: by their id or slug. */
export const findReferred = (text = '') =>
  build
    .select({ id: products.id })
    .from(products)
    .where(or(eq(products.slug, text), eq(products.id, filter.asId(text))));

const isPromoted = sql`(${products.affiliate} ->> 'enabled')::boolean`;

/** The filters of a list of products. */
type ListedBy = Omit<ProductQuery, 'status'> & { status?: Argument<ProductQuery['status']> };

function filters({
  search,
  status,
  type,
  payment_type,
  affiliate_enabled,
  ids,
  updated_since,
  meta,
}: ListedBy): ConditionsFor<ProductQuery, 'present'> {
  const text = sql`lower(${products.title} || ' ' || ${products.slug})`;
  return {
    present,
    search:
      search === undefined
        ? undefined
        : search.length < filter.trigramLength
          ? eq(products.id, filter.asId(search))
          : filter.contains(text, search),
    ...filter.equals(products, { status, type, payment_type }),
    affiliate_enabled:
      affiliate_enabled === undefined
        ? undefined
        : affiliate_enabled
          ? isPromoted
          : sql`${isPromoted} is not true`,
    ids: ids && inArray(products.id, ids),
    updated_since: filter.changedSince(products.updated_at, updated_since),
    meta: filter.hasValues(products.meta, meta),
  };
}

export const listProducts = (query: ListedBy, window: filter.Window) =>
  filter.paged(selectProducts().$dynamic(), products.id, filters(query), window);

/** The number of all products is kept; matches of a filter are counted. */
export const countProducts = (query: ListedBy) =>
  filter.countRows(['products'], products, filters(query), ['present']);

export const insertProduct = ({ product, stock: units }: ProductRow) => [
  build.insert(products).values(product),
  ...insertStock(product.id, units),
];

/** Gives all products the store's new currency, if theirs differs. */
export const priceProducts = (before: SettingsRow, { currency, updated_at }: SettingsRow) =>
  before.currency === currency
    ? []
    : [
        raw(
          sql`update products set currency = ${currency}, updated_at = ${updated_at}, version = version + 1
            where currency is distinct from ${currency}`,
        ),
      ];

function insertStock(product_id: number, units: Stock) {
  const rows = Object.entries(units).map(([option_id, left]) => ({
    product_id,
    option_id,
    units: left,
  }));
  return rows.length > 0 ? [build.insert(productStock).values(rows)] : [];
}

/**
 * Writes a product's new state over the version of the decision.
 * @param delta the change of its own units, if they weren't set
 */
export const updateProduct = (
  before: ProductRow,
  after: ProductRow,
  delta: number | undefined,
): Write<'out_of_stock'>[] => [
  updateRow(products, before.product, after.product),
  ...changeStock(before, after, delta),
];

/**
 * Keeps an existing product from being deleted until the transaction ends. Orders and changes of
 * the product don't wait for each other because of it.
 */
export const holdProduct = (id: number) =>
  guard(
    build
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, id), present))
      .for('key share'),
    'rest_conflict',
  );

/** Takes a product out of sale and every list, in the version of the decision; frees its slug. */
export const hideProduct = (product: ProductRow['product'], now: Date) =>
  updateRow(products, product, {
    deleted_at: now.toISOString(),
    updated_at: now.toISOString(),
    version: product.version + 1,
    slug: `${product.slug}~${product.id}`,
  });

/**
 * Changes counters from one state to another. A change by an amount adds to the current units,
 * so a sale in between counts. A set amount is written only over the units it was to replace.
 */
function changeStock(
  before: ProductRow,
  after: ProductRow,
  delta: number | undefined,
): Write<'out_of_stock'>[] {
  const id = before.product.id;
  const options = [...new Set([...Object.keys(before.stock), ...Object.keys(after.stock)])].sort();
  return options.flatMap((option): Write<'out_of_stock'>[] => {
    const from = unitsLeft(before.stock, option);
    const to = unitsLeft(after.stock, option);
    if (from === to) return [];
    if (from === null) return insertStock(id, { [option]: to ?? 0 });
    if (option === '' && delta !== undefined) return [addStock(id, option, delta)];
    return [replaceStock(id, option, { from, to })];
  });
}

const counterOf = (product_id: number, option_id: string) =>
  and(eq(productStock.product_id, product_id), eq(productStock.option_id, option_id));

/** Sets or ends a counter, over the units it was to replace. */
function replaceStock(
  product_id: number,
  option_id: string,
  { from, to }: { from: number; to: number | null },
): Write {
  const replaced = and(counterOf(product_id, option_id), eq(productStock.units, from));
  const changed = { option_id: productStock.option_id };
  return guard(
    to === null
      ? build.delete(productStock).where(replaced).returning(changed)
      : build.update(productStock).set({ units: to }).where(replaced).returning(changed),
    'rest_conflict',
  );
}

/** Waits for the orders of a product that are being placed. */
export const lockProduct = (id: number) =>
  raw(sql`select from products where id = ${id} for update`);

/** Adds to a counter, or takes from it; taking more than is there is `out_of_stock`. */
export const addStock = (product_id: number, option_id: string, units: number) =>
  guard(
    build
      .update(productStock)
      .set({ units: sql`${productStock.units} + ${units}` })
      .where(and(counterOf(product_id, option_id), sql`${productStock.units} + ${units} >= 0`))
      .returning({ option_id: productStock.option_id }),
    'out_of_stock',
  );

/** Returns units to a counter, if there still is one. */
export const returnStock = (product_id: number, option_id: string, units: number) =>
  build
    .update(productStock)
    .set({ units: sql`${productStock.units} + ${units}` })
    .where(counterOf(product_id, option_id));

/** A product by id, even if it is deleted: its buyers still have it. */
export const findStoredProduct = (id: Argument<number>) =>
  build
    .select({ id: products.id, title: products.title })
    .from(products)
    .where(eq(products.id, id));

/** Products by ids, except deleted ones. */
export const findPresentProducts = (ids: readonly number[]) =>
  build
    .select({ id: products.id, title: products.title })
    .from(products)
    .where(and(inArray(products.id, [...ids]), isNull(products.deleted_at)));

/** The products that open a content. */
export const findContentProducts = (content_id: Argument<number>) =>
  build
    .select({ id: products.id, slug: products.slug, title: products.title })
    .from(products)
    .where(sql`${products.id} in ${productsOfContent(content_id)}`);

/** The product of an order, deleted or not, with its stock. */
export const findProductOf = (order_id: number | SQL) =>
  selectProducts().where(eq(products.id, ofOrder('product_id', order_id)));

/** The affiliate programmes of products, by a query of their ids. */
export const findProgrammesIn = (ids: SQL) =>
  build
    .select({ id: products.id, affiliate: products.affiliate })
    .from(products)
    .where(sql`${products.id} in (${ids})`);
