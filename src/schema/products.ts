import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer as int4,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { paymentTypes, productStatuses, productTypes } from './lists.ts';
import { type ProductParts, partShapes } from './product-parts.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  money,
  oneOf,
} from '../kernel/database/columns.ts';

/** The store's goods. Deleted products stay, for the orders that name them. */
export const products = pgTable(
  'products',
  {
    id: id(),
    title: text().notNull(),
    slug: text().notNull(),
    status: choice(productStatuses).notNull().default('publish'),
    type: choice(productTypes).notNull().default('digital'),
    payment_type: choice(paymentTypes).notNull().default('one-time'),
    description: text().notNull().default(''),
    excerpt: text().notNull().default(''),
    image_url: text().notNull().default(''),
    price: money(),
    regular_price: integer(),
    /** The store's; null as long as that has none. */
    currency: text(),
    enable_sale: boolean().notNull().default(true),
    disable_sale_time: instant(),
    access_code: text().notNull().default(''),
    limit_buy_time: int4().notNull().default(0),
    enable_quantity: boolean().notNull().default(true),
    max_quantity: int4(),
    tax: document<ProductParts['tax']>(partShapes.tax).notNull(),
    shipping: document<ProductParts['shipping']>(partShapes.shipping).notNull(),
    cod: document<ProductParts['cod']>(partShapes.cod).notNull(),
    variants: document<ProductParts['variants']>(partShapes.variants).notNull(),
    subscription: document<ProductParts['subscription']>(partShapes.subscription).notNull(),
    license: document<ProductParts['license']>(partShapes.license).notNull(),
    affiliate: document<ProductParts['affiliate']>(partShapes.affiliate).notNull(),
    group: document<ProductParts['group']>(partShapes.group).notNull(),
    meta: document<Record<string, unknown>>().notNull().default({}),
    deleted_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('products_status', t.status, productStatuses),
    oneOf('products_type', t.type, productTypes),
    oneOf('products_payment_type', t.payment_type, paymentTypes),
    check('products_price', sql`${t.price} >= 0`),
    uniqueIndex('products_slug').on(t.slug),
    index('products_status_id')
      .on(t.status, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('products_type_id')
      .on(t.type, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('products_payment_type_id')
      .on(t.payment_type, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('products_affiliate_enabled')
      .on(t.id)
      .where(sql`${t.deleted_at} is null and (${t.affiliate} ->> 'enabled')::boolean`),
    index('products_search').using(
      'gin',
      sql`(lower(${t.title} || ' ' || ${t.slug})) gin_trgm_ops`,
    ),
  ],
);

/**
 * Units left of what counts its stock: a product (`option_id` empty) or one variant option of it.
 * No row means it isn't counted. Rows of their own: selling changes them without touching the
 * product's version.
 */
export const productStock = pgTable(
  'product_stock',
  {
    product_id: integer()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    option_id: text().notNull().default(''),
    units: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.product_id, t.option_id] }),
    check('product_stock_units', sql`${t.units} >= 0`),
  ],
);
