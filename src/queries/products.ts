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

export const selectProducts = () => selectRecords(productRecord).from(products);

const present = isNull(products.deleted_at);

export const findProduct = (id: number | SQL) =>
  selectProducts().where(and(eq(products.id, id), present));

export const idOfSlug = (slug: Argument<string>) =>
  sql<number>`(select id from products where slug = ${slug} and deleted_at is null)`;

/** The newest published products: a page of the shop. */
export const listPublished = () =>
  selectProducts()
    .where(and(eq(products.status, 'publish'), present))
    .orderBy(desc(products.id))
    .limit(60);

/** Tells if any product is published and, for a store without bank accounts, if one is paid on delivery. */
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

/** Products that a text names by id or slug. */
export const findReferred = (text = '') =>
  build
    .select({ id: products.id })
    .from(products)
    .where(or(eq(products.slug, text), eq(products.id, filter.asId(text))));

const isPromoted = sql`(${products.affiliate} ->> 'enabled')::boolean`;

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

export const countProducts = (query: ListedBy) =>
  filter.countRows(['products'], products, filters(query), ['present']);

/** Inserts a product, if it has the store's currency, which can't change until the commit. */
export const insertProduct = ({ product, stock: units }: ProductRow) => [
  guard(
    sql`select from settings where currency is not distinct from ${product.currency} for share`,
    'rest_conflict',
  ),
  build.insert(products).values(product),
  ...insertStock(product.id, units),
];

/** Gives all products the store's new currency. */
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
 * Writes a product's new state, if the version is unchanged.
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

/** Keeps a product from being deleted until the commit. Doesn't block orders and changes of the product. */
export const holdProduct = (id: number) =>
  guard(
    build
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, id), present))
      .for('key share'),
    'rest_conflict',
  );

/** Takes a product out of sale and every list, if the version is unchanged. Frees its slug. */
export const hideProduct = (product: ProductRow['product'], now: Date) =>
  updateRow(products, product, {
    deleted_at: now.toISOString(),
    updated_at: now.toISOString(),
    version: product.version + 1,
    slug: `${product.slug}~${product.id}`,
  });

/**
 * Writes changed counters. A change by an amount adds to the present units, so a sale in between counts. A set amount
 * only replaces the units of the decision.
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

/** Sets or ends a counter, if it still has the units of the decision. */
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

/** Waits for orders of the product that are being placed. */
export const lockProduct = (id: number) =>
  raw(sql`select from products where id = ${id} for update`);

/** Changes a counter; `out_of_stock` if it would become negative. */
export const addStock = (product_id: number, option_id: string, units: number) =>
  guard(
    build
      .update(productStock)
      .set({ units: sql`${productStock.units} + ${units}` })
      .where(and(counterOf(product_id, option_id), sql`${productStock.units} + ${units} >= 0`))
      .returning({ option_id: productStock.option_id }),
    'out_of_stock',
  );

/** Returns units to a counter, if it still exists. */
export const returnStock = (product_id: number, option_id: string, units: number) =>
  build
    .update(productStock)
    .set({ units: sql`${productStock.units} + ${units}` })
    .where(counterOf(product_id, option_id));

export const findStoredProduct = (id: Argument<number>) =>
  build
    .select({ id: products.id, title: products.title })
    .from(products)
    .where(eq(products.id, id));

export const findPresentProducts = (ids: readonly number[]) =>
  build
    .select({ id: products.id, title: products.title })
    .from(products)
    .where(and(inArray(products.id, [...ids]), isNull(products.deleted_at)));

export const findContentProducts = (content_id: Argument<number>) =>
  build
    .select({ id: products.id, slug: products.slug, title: products.title })
    .from(products)
    .where(sql`${products.id} in ${productsOfContent(content_id)}`);

export const findProductOf = (order_id: number | SQL) =>
  selectProducts().where(eq(products.id, ofOrder('product_id', order_id)));

export const findProgrammesIn = (ids: SQL) =>
  build
    .select({ id: products.id, affiliate: products.affiliate })
    .from(products)
    .where(sql`${products.id} in (${ids})`);
