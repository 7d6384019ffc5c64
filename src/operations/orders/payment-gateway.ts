import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { GatewaySessionReply } from '../../domain/payment/schemas.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { openOrderPage } from '../../processes/payments/open-order-page.ts';

export const getPaymentGateway = endpoint({
  id: 'orders.paymentGateway',
  route: ['GET /orders/:id/payment-gateway'],
  summary: 'Open the payment page of an order',
  description:
    "Returns the order's gateway and the page on which the buyer pays, opened at the provider if there is none yet. Repeated calls return the same page for as long as it is open and the order costs the same. If the last news of a payment is older than ten seconds, the provider is asked first. An order that was just paid is then answered with 409 `order_not_payable`, even if the provider's callback is late. After the payment the buyer returns to the order's page in the shop or, without the module `shop`, to the store's `site_url`. `order` (its id), `order_number` and `payment` (the payment's reference) are added to the address. A gateway without a provider has no page: `session` is null.",
  access: apiKey('orders:write'),
  effect: 'write',
  everyday: true,
  conditional: false,
  params: IdParams,
  reply: [200, GatewaySessionReply],
  errors: [
    'rest_not_found',
    'order_not_payable',
    'payment_refused',
    'gateway_unavailable',
    'out_of_stock',
    ...reactionErrors,
  ],
  // A repeat returns the open payment anyway, and only the buyer may see its address.
  secretReply: true,
}).handle(async ({ params, db, config, outbound: http, authority, now }) =>
  openOrderPage(params.id, db, { config, http, authority, now }),
);
