import type { OrderColumns } from '../../schema/orders.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { OrderCreate } from '../order/request-schemas.ts';
import { type PaymentState, refusedGateway } from '../payment/acceptance.ts';
import { offeredGateways } from '../payment/rules.ts';
import type { Gateway } from '../payment/schemas.ts';
import type { ProductRow } from '../product/rules.ts';

export const waysToRenew = (
  { product }: ProductRow,
  amount: number,
  settings: SettingsRow,
  redirects: PaymentState['redirects'],
): Gateway[] =>
  offeredGateways(settings, redirects).filter(
    ({ id, active }) =>
      active &&
      refusedGateway(
        id,
        product,
        { amount, option_id: undefined, buyer: undefined },
        { settings, redirects },
      ) === undefined,
  );

/** The order for the next term, with everything that the first order bought. */
export function renewalOf(
  { product }: ProductRow,
  first: OrderColumns,
  payment_gateway: string,
): OrderCreate {
  const { id: order_parent_id, user_id, quantity, variants, shipping, agreed } = first;
  return {
    ...{ product_id: product.id, user_id, order_parent_id, quantity, payment_gateway },
    access_code: product.access_code,
    variants: agreed.plan ? [] : variants.map(({ option_id }) => option_id),
    ...(shipping && !agreed.plan && { shipping }),
  };
}
