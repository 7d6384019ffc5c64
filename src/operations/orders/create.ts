import { apiKey } from '../../kernel/auth/access.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { couponRefusals } from '../../domain/coupon/rules.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import {
  candidatesOf,
  cartState,
  loadPurchase,
  purchaseParameters,
  purchaseValues,
} from '../../queries/purchases.ts';
import { readQuote } from '../../domain/checkout/quote.ts';
import { createOrder } from '../../domain/purchase/create.ts';
import { quotableTotal, quotedOrder } from '../../domain/checkout/quoted-order.ts';
import { loadReactions, reactionErrors } from '../../reactions/index.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { planCreation } from '../../reactions/plan.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { Order, OrderCreate } from '../../domain/order/schemas.ts';

const load = prepared(purchaseParameters, (purchase) => ({
  id: drawId('orders'),
  ...loadPurchase(purchase),
  reactions: loadReactions({ kind: 'new', ...purchase, candidates: candidatesOf(purchase) }),
}));

export const createOrderEndpoint = endpoint({
  id: 'orders.create',
  route: ['POST /orders'],
  summary: 'Create an order',
  description:
    'The server prices the order. An order that costs nothing is paid at once; any other waits for payment. Send an `Idempotency-Key`: a repeat then returns the first order instead of placing another.',
  access: apiKey('orders:write'),
  effect: 'write',
  everyday: true,
  body: OrderCreate,
  reply: [201, record(Order)],
  errors: [
    'store_currency_unset',
    'rest_not_found',
    'rest_invalid_param',
    'variant_required',
    ...couponRefusals,
    'product_closed',
    'out_of_stock',
    'purchase_too_soon',
    'rest_invalid_transition',
    'quote_expired',
    'quote_changed',
    'tryout_used',
    'subscription_not_renewable',
    ...reactionErrors,
  ],
}).handle(async ({ body, db, principal, authority, config, now }) => {
  const quote = body.quote_token && (await readQuote(body.quote_token, authority, now));
  if (quote === null) {
    return refuse('rest_invalid_param', {
      params: { quote_token: 'is not a quote of this service' },
    });
  }
  if (quote === 'expired') return refuse('quote_expired');
  const input = quote ? quotedOrder(quote.cart, body) : body;
  const purchase = { ...input, coupon: input.coupon_code };
  let due: number | undefined;
  let tries = 0;
  return db.change({
    load: () => load(purchaseValues(purchase, now, due)),
    decide: (loaded) => {
      const state = {
        ...cartState(loaded),
        id: nextId(loaded.id),
        redirects: gatewaysOf(config),
        draw: { chance: Math.random(), lost: tries++ },
      };
      const created = createOrder(state, input, principal.actor, now);
      if (isRefusal(created)) return created;
      due = quotableTotal(created.row.order);
      if (quote && quote.grand_total !== due) {
        return refuse('quote_changed');
      }
      const plan = planCreation(created, loaded);
      return isRefusal(plan) ? plan : { ...plan, reply: one(toOrder(created.row)) };
    },
  });
});
