import type { CartInput } from './schemas.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { OrderCreate } from '../order/request-schemas.ts';

/** Fields of the order take precedence over those of the cart. */
export function quotedOrder(cart: CartInput, order: OrderCreate): OrderCreate {
  const {
    shipping_option_id: option_id,
    country,
    coupon,
    user_id: _,
    postal_code: __,
    ...same
  } = cart;
  return {
    ...withoutUndefined(same),
    ...(coupon && { coupon_code: coupon }),
    ...(option_id && { shipping: { ...noAddress, option_id, country: country ?? '' } }),
    ...withoutUndefined(order),
  };
}

const noAddress = { receiver: '', phone: '', address: '', postal_code: '' };

/** The total that a quote promises: without the unique code of a transfer. */
export const quotableTotal = ({ grand_total, unique_code }: OrderColumns) =>
  grand_total - unique_code;
