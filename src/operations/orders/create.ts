import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { couponRefusals } from '../../domain/coupon/rules.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import {
  buyerOf,
  candidatesOf,
  cartState,
  drawBuyer,
  loadPurchase,
  orderParameters,
  purchaseValues,
} from '../../queries/purchases.ts';
import { readQuote } from '../../domain/checkout/quote.ts';
import { createOrder } from '../../domain/purchase/create.ts';
import { quotableTotal, quotedOrder } from '../../domain/checkout/quoted-order.ts';
import { loadReactions, reactionErrors } from '../../reactions/index.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { planCreation } from '../../reactions/plan.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { Order } from '../../domain/order/schemas.ts';
import { OrderCreate } from '../../domain/order/request-schemas.ts';
import { userEvent } from '../../domain/user/events.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import { type UserRow, newUser, toUser } from '../../domain/user/rules.ts';
import { insertBuyer } from '../../queries/user-writes.ts';

const load = prepared(orderParameters, (parameters) => {
  const purchase = { ...parameters, user_id: buyerOf(parameters) };
  return {
    id: drawId('orders'),
    newBuyer: drawBuyer(parameters),
    ...loadPurchase(purchase),
    reactions: loadReactions({ kind: 'new', ...purchase, candidates: candidatesOf(purchase) }),
  };
});

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
  const redirects = await loadGateways(config);
  const input = quote ? quotedOrder(quote.cart, body) : body;
  const purchase = { ...input, coupon: input.coupon_code };
  return db.change({
    load: (again: DrawState | undefined) =>
      load({ ...purchaseValues(purchase, now, again?.due), email: body.buyer?.email }),
    decide: (loaded, again) => {
      const newBuyer = body.buyer && newBuyerOf(body.buyer, loaded.newBuyer, now);
      const cart = cartState(loaded);
      const state = {
        ...cart,
        buyer: cart.buyer ?? (newBuyer && { ...newBuyer.user, group: null }),
        id: nextId(loaded.id),
        redirects,
        draw: { chance: Math.random(), lost: again?.tries ?? 0 },
      };
      const created = createOrder(state, input, principal.actor, now);
      if (isRefusal(created)) return created;
      const due = quotableTotal(created.row.order);
      if (quote && quote.grand_total !== due) {
        return refuse('quote_changed');
      }
      const plan = planCreation(created, loaded);
      if (isRefusal(plan)) return plan;
      return {
        write: [...(newBuyer ? [insertBuyer(newBuyer)] : []), ...plan.write],
        events: [
          ...(newBuyer ? [userEvent('user.created', toUser(newBuyer))] : []),
          ...plan.events,
        ],
        again: { due, tries: (again?.tries ?? 0) + 1 },
        reply: one(toOrder(created.row)),
      };
    },
  });
});

/** Facts for the next try, if another order took the transfer amount or changed the state. */
interface DrawState {
  readonly due: number;
  readonly tries: number;
}

/** The new buyer, if an id was drawn: the e-mail address is unused then. */
function newBuyerOf(
  { email, name, phone }: NonNullable<OrderCreate['buyer']>,
  drawn: Parameters<typeof nextId>[0],
  now: Date,
): UserRow | undefined {
  if (drawn.rows.length === 0) return undefined;
  const input = { email, ...withoutUndefined({ display_name: name, phone }) };
  return newUser(input, null, nextId(drawn), now);
}
