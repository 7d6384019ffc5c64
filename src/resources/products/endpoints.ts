import * as z from 'zod';
import { apiKey } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, collection, one, page, record } from '../../http/envelope.ts';
import { isStale, refuse } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { sizeRefusal } from '../../http/record-size.ts';
import { findUnknown, unknownRefusal } from '../../http/references.ts';
import { findSettings } from '../platform/queries.ts';
import { productEvent } from './events.ts';
import {
  countProducts,
  findOpenOrder,
  findProduct,
  findSlug,
  hideProduct,
  insertProduct,
  listProducts,
  requireNoOpenOrder,
  updateProduct,
} from './queries.ts';
import {
  isSameProduct,
  newProduct,
  productReferences,
  shippingQuotes,
  stockRefusal,
  tierRefusal,
  toProduct,
  updatedProduct,
} from './rules.ts';
import {
  Product,
  ProductCreate,
  ProductDelete,
  ProductQuery,
  ProductUpdate,
  ShippingQuery,
  ShippingQuote,
} from './schemas.ts';

export const listProductsEndpoint = endpoint({
  id: 'products.list',
  route: ['GET /products'],
  summary: 'List products',
  description: 'Newest first, in every status unless `status` says one.',
  access: apiKey('products:read'),
  effect: 'read',
  query: ProductQuery,
  reply: [200, page(Product)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listProducts(query, window),
    () => countProducts(query),
  );
  return pageOf(query, rows.map(toProduct), total);
});

export const getProduct = endpoint({
  id: 'products.get',
  route: ['GET /products/:id'],
  summary: 'Read a product',
  access: apiKey('products:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Product)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findProduct(params.id) });
  return found[0] ? one(toProduct(found[0])) : refuse('rest_not_found');
});

export const getVariants = endpoint({
  id: 'products.variants',
  route: ['GET /products/:id/variants'],
  summary: "List a product's variants",
  description: 'Groups of options with their surcharges and the units left of each.',
  access: apiKey('products:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, z.object({ success: z.literal(true), data: Product.shape.variants })],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findProduct(params.id) });
  return found[0] ? one(toProduct(found[0]).variants) : refuse('rest_not_found');
});

export const getShippingOptions = endpoint({
  id: 'products.shippingOptions',
  route: ['GET /products/:id/shipping-options'],
  summary: 'List the ways to ship a product, with their cost',
  description:
    'Send only the `id` of the chosen option with the order: the server computes the cost again.',
  access: apiKey('checkout:read'),
  effect: 'read',
  params: IdParams,
  query: ShippingQuery,
  reply: [200, collection(ShippingQuote)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const { found } = await db.query({ found: findProduct(params.id) });
  return found[0] ? one(shippingQuotes(found[0].product, query)) : refuse('rest_not_found');
});

export const createProduct = endpoint({
  id: 'products.create',
  route: ['POST /products'],
  summary: 'Create a product',
  description:
    'Only `title` and `price` are required: a published, digital, one-time product comes of them. All of it may take 96 KiB.',
  access: apiKey('products:write'),
  effect: 'write',
  body: ProductCreate,
  reply: [201, record(Product)],
  errors: ['rest_not_found', 'rest_invalid_param', 'product_slug_exists'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('products'),
      settings: findSettings(),
      sameSlug: findSlug(body.slug),
      unknown: findUnknown(productReferences(body)),
    },
    decide: ({ id, settings: [settings], sameSlug, unknown }) => {
      if (sameSlug.length > 0) return refuse('product_slug_exists');
      const product = newProduct(body, nextId(id), settings?.currency ?? '', now);
      return (
        tierRefusal(product) ??
        sizeRefusal(toProduct(product)) ??
        unknownRefusal(unknown) ?? {
          write: insertProduct(product),
          events: [productEvent('product.created', toProduct(product))],
          reply: one(toProduct(product)),
        }
      );
    },
  }),
);

export const updateProductEndpoint = endpoint({
  id: 'products.update',
  route: ['PATCH /products/:id', 'PUT /products/:id', 'POST /products/:id'],
  summary: 'Update a product',
  description:
    'A partial update under each of the three methods. Stock is moved with `stock_delta`, or set with `stock` beside `stock_was`, the units it replaces: 409 `rest_conflict` where a sale moved them meanwhile. `If-Match` alone does not see sales, which leave `version` as it is.',
  access: apiKey('products:write'),
  effect: 'write',
  params: IdParams,
  body: ProductUpdate,
  reply: [200, record(Product)],
  errors: ['rest_not_found', 'rest_invalid_param', 'out_of_stock'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findProduct(params.id), unknown: findUnknown(productReferences(body)) },
    decide: ({ found: [before], unknown }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.product)) return refuse('rest_conflict');
      const after = updatedProduct(before, body, now);
      return (
        stockRefusal(before, body) ??
        tierRefusal(after) ??
        sizeRefusal(toProduct(after)) ??
        unknownRefusal(unknown, productReferences(before.product)) ??
        (isSameProduct(before, after)
          ? { write: [], reply: one(toProduct(before)) }
          : {
              write: updateProduct(before, after, body.stock_delta),
              events: [productEvent('product.updated', toProduct(after))],
              reply: one(toProduct(after)),
            })
      );
    },
  }),
);

export const deleteProduct = endpoint({
  id: 'products.delete',
  route: ['DELETE /products/:id'],
  summary: 'Delete a product',
  description: 'Its orders stay. While orders of it are open this takes `force=true`.',
  access: apiKey('products:delete'),
  effect: 'write',
  params: IdParams,
  query: ProductDelete,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'product_has_open_orders'],
}).handle(async ({ params, query, db, ifMatch, now }) =>
  db.change({
    load: { found: findProduct(params.id), open: findOpenOrder(params.id) },
    decide: ({ found: [before], open }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.product)) return refuse('rest_conflict');
      if (open.length > 0 && !query.force) return refuse('product_has_open_orders');
      return {
        write: [
          ...(query.force ? [] : requireNoOpenOrder(params.id)),
          hideProduct(before.product, now),
        ],
        events: [productEvent('product.deleted', { id: params.id, deleted: true })],
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
