import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { sizeRefusal } from '../../kernel/endpoint/record-size.ts';
import { findUnknown, unknownRefusal } from '../../queries/references.ts';
import { findSettings } from '../../queries/settings.ts';
import { productEvent } from '../../domain/product/events.ts';
import { findSlug, insertProduct } from '../../queries/products.ts';
import {
  newProduct,
  productReferences,
  termRefusal,
  tierRefusal,
  toProduct,
} from '../../domain/product/rules.ts';
import { Product, ProductCreate } from '../../domain/product/schemas.ts';

export const createProduct = endpoint({
  id: 'products.create',
  route: ['POST /products'],
  summary: 'Create a product',
  description:
    'Only `title` and `price` are required; by default the product is published, digital and bought once. The whole product may have up to 96 KiB.',
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
      const product = newProduct(body, nextId(id), settings?.currency ?? null, now);
      return (
        termRefusal(product) ??
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
