import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { paymentTypes, productStatuses, productTypes } from './lists.ts';
import { type ProductParts, partShapes } from './product-parts.ts';
import * as column from '../kernel/database/columns.ts';

/** The store's goods. Deleted products stay, because orders refer to them. */
export const products = pg.pgTable(
  'products',
  {
    id: column.id(),
    title: pg.text().notNull(),
    slug: pg.text().notNull(),
    status: column.choice(productStatuses).notNull().default('publish'),
    type: column.choice(productTypes).notNull().default('digital'),
    payment_type: column.choice(paymentTypes).notNull().default('one-time'),
    description: pg.text().notNull().default(''),
    excerpt: pg.text().notNull().default(''),
    image_url: pg.text().notNull().default(''),
    price: column.money(),
    regular_price: column.integer(),
    /** The currency of the store; null until the store has one. */
    currency: pg.text(),
    enable_sale: pg.boolean().notNull().default(true),
    disable_sale_time: column.instant(),
    access_code: pg.text().notNull().default(''),
    limit_buy_time: pg.integer().notNull().default(0),
    enable_quantity: pg.boolean().notNull().default(true),
    max_quantity: pg.integer(),
    tax: column.document<ProductParts['tax']>(partShapes.tax).notNull(),
    shipping: column.document<ProductParts['shipping']>(partShapes.shipping).notNull(),
    cod: column.document<ProductParts['cod']>(partShapes.cod).notNull(),
    variants: column.document<ProductParts['variants']>(partShapes.variants).notNull(),
    subscription: column.document<ProductParts['subscription']>(partShapes.subscription).notNull(),
    license: column.document<ProductParts['license']>(partShapes.license).notNull(),
    affiliate: column.document<ProductParts['affiliate']>(partShapes.affiliate).notNull(),
    group: column.document<ProductParts['group']>(partShapes.group).notNull(),
    meta: column.document<Record<string, unknown>>().notNull().default({}),
    deleted_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('products_status', t.status, productStatuses),
    column.oneOf('products_type', t.type, productTypes),
    column.oneOf('products_payment_type', t.payment_type, paymentTypes),
    pg.check('products_price', sql`${t.price} >= 0`),
    pg.uniqueIndex('products_slug').on(t.slug),
    pg.index('products_status_id').on(t.status, t.id).where(column.live(t)),
    pg.index('products_updated_at').on(t.updated_at, t.id),
    pg
      .index('products_meta')
      .using('gin', sql`${t.meta} jsonb_path_ops`)
      .where(sql`${t.meta} <> '{}'::jsonb`),
    pg.index('products_type_id').on(t.type, t.id).where(column.live(t)),
    pg.index('products_payment_type_id').on(t.payment_type, t.id).where(column.live(t)),
    pg
      .index('products_affiliate_enabled')
      .on(t.id)
      .where(sql`${t.deleted_at} is null and (${t.affiliate} ->> 'enabled')::boolean`),
    pg
      .index('products_search')
      .using('gin', sql`(lower(${t.title} || ' ' || ${t.slug})) gin_trgm_ops`),
  ],
);

/**
 * Units left of a counted product (`option_id` empty) or variant option; without a row, units aren't counted. The rows
 * are separate so that a sale doesn't change the product's version.
 */
export const productStock = pg.pgTable(
  'product_stock',
  {
    product_id: column.reference(() => products.id, { onDelete: 'cascade' }),
    option_id: pg.text().notNull().default(''),
    units: column.integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.product_id, t.option_id] }),
    pg.check('product_stock_units', sql`${t.units} >= 0`),
  ],
);
