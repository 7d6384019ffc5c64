import {
  apiKey,
  deleted,
  Deleted,
  deletedRecord,
  endpoint,
  IdParams,
} from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { productEvent } from '../../domain/product/events.ts';
import { findProduct, hideProduct } from '../../queries/products.ts';
import { ProductDelete } from '../../domain/product/schemas.ts';
import { findOpenOrder } from '../../queries/orders.ts';
import { requireNoOpenOrder } from '../../queries/order-guards.ts';

export const deleteProduct = endpoint({
  id: 'products.delete',
  route: ['DELETE /products/:id'],
  summary: 'Delete a product',
  description: 'Its orders are kept. While it has open orders, `force=true` is required.',
  access: apiKey('products:delete'),
  effect: 'write',
  params: IdParams,
  query: ProductDelete,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'product_has_open_orders'],
}).handle(async ({ params, query, db, ifMatch, now }) =>
  db.change({
    load: { found: findProduct(params.id), open: findOpenOrder(params.id) },
    decide: ({ found, open }) => {
      const before = current(found, ifMatch, 'product');
      if (isRefusal(before)) return before;
      if (open.length > 0 && !query.force) return refuse('product_has_open_orders');
      return {
        write: [
          ...(query.force ? [] : requireNoOpenOrder(params.id)),
          hideProduct(before.product, now),
        ],
        events: [productEvent('product.deleted', deletedRecord(params.id))],
        reply: deleted(params.id),
      };
    },
  }),
);
