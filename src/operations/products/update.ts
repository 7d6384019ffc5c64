import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { sizeRefusal } from '../../kernel/endpoint/record-size.ts';
import { findUnknown, unknownRefusal } from '../../queries/references.ts';
import { productEvent } from '../../domain/product/events.ts';
import { findProduct, updateProduct } from '../../queries/products.ts';
import {
  isSameProduct,
  productReferences,
  stockRefusal,
  termRefusal,
  tierRefusal,
  toProduct,
  updatedProduct,
} from '../../domain/product/rules.ts';
import { Product, ProductUpdate } from '../../domain/product/schemas.ts';

export const updateProductEndpoint = endpoint({
  id: 'products.update',
  route: ['PATCH /products/:id', 'PUT /products/:id', 'POST /products/:id'],
  summary: 'Update a product',
  description:
    'Changes only the fields you send. Adjust stock with `stock_delta`, or set it with `stock` together with `stock_was`, the units it replaces: the answer is 409 `rest_conflict` if a sale changed them in the meantime. `If-Match` alone does not notice sales, which leave `version` as it is.',
  access: apiKey('products:write'),
  effect: 'write',
  params: IdParams,
  body: ProductUpdate,
  reply: [200, record(Product)],
  errors: ['rest_not_found', 'rest_invalid_param', 'out_of_stock'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findProduct(params.id), unknown: findUnknown(productReferences(body)) },
    decide: ({ found, unknown }) => {
      const before = current(found, ifMatch, 'product');
      if (isRefusal(before)) return before;
      const after = updatedProduct(before, body, now);
      return (
        stockRefusal(before, body) ??
        termRefusal(after, before) ??
        tierRefusal(after, before) ??
        sizeRefusal(toProduct(after)) ??
        unknownRefusal(unknown, productReferences(before.product)) ??
        (isSameProduct(before, after)
          ? { write: [], reply: one(toProduct(before)) }
          : {
              write: updateProduct(before, after, body.stock_delta),
              events: [productEvent('product.updated', toProduct(after))],
              before: toProduct(before),
              reply: one(toProduct(after)),
            })
      );
    },
  }),
);
