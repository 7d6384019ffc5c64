import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const productErrors = {
  product_slug_exists: [409, 'Another product has this slug.'],
  product_has_open_orders: [409, 'This product has open orders.'],
  product_closed: [409, 'This product is not on sale.'],
  out_of_stock: [409, 'Not enough units are left.'],
  variant_required: [400, 'A required variant is missing.'],
} as const satisfies ErrorTable;
