import type { ProductType } from '../../schema/lists.ts';
import type { OrderColumns } from '../../schema/orders.ts';

/** Tells if an order is a later instalment of a plan. It neither ships nor takes stock. */
export const isLaterInstalment = ({
  order_parent_id,
  agreed,
}: Pick<OrderColumns, 'order_parent_id' | 'agreed'>): boolean =>
  order_parent_id !== null && agreed.plan !== null;

/** Returns the effective type: a later instalment ships nothing. */
export const handledType = (
  order: Pick<OrderColumns, 'order_parent_id' | 'agreed'>,
  { type }: { readonly type: ProductType },
): ProductType => (isLaterInstalment(order) ? 'digital' : type);
