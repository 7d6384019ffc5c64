import type { SQL } from 'drizzle-orm';
import { type Results, drawId, nextId } from '../../kernel/database/statements.ts';
import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { quotableTotal } from '../../domain/checkout/quoted-order.ts';
import { choiceOf, renewalOf, renewalOffer } from '../../domain/checkout/renewal.ts';
import type { PaymentState } from '../../domain/payment/acceptance.ts';
import { createOrder } from '../../domain/purchase/create.ts';
import {
  expectNoRenewal,
  findOpenRenewals,
  firstOrderOfSubscription,
} from '../../queries/order-chains.ts';
import { findStoredOrder } from '../../queries/orders.ts';
import {
  candidatesOf,
  cartState,
  loadPurchase,
  renewalParameters,
} from '../../queries/purchases.ts';
import {
  findChanges,
  findSignup,
  findSubscriptionById,
  findTermOrders,
} from '../../queries/subscriptions.ts';
import { holdSubscription } from '../../queries/subscription-writes.ts';
import { loadReactions } from '../../reactions/index.ts';
import { planCreation } from '../../reactions/plan.ts';

/** Facts for the next try, if another order took the transfer amount or changed the state. */
export interface RenewalTry {
  readonly due: number;
  readonly tries: number;
}

export function loadRenewal(
  id: number,
  member: SQL<number>,
  now: Date,
  again: RenewalTry | undefined,
) {
  const parameters = renewalParameters(id, member, now, again?.due);
  return {
    id: drawId('orders'),
    found: findSubscriptionById(id, member),
    signup: findSignup(id),
    first: findStoredOrder(firstOrderOfSubscription(id)),
    terms: findTermOrders(firstOrderOfSubscription(id)),
    changes: findChanges(firstOrderOfSubscription(id)),
    open: findOpenRenewals(id),
    purchase: loadPurchase(parameters),
    reactions: loadReactions({ kind: 'new', ...parameters, candidates: candidatesOf(parameters) }),
  };
}

interface RenewalRequest {
  /** A way to pay, with the total that the member saw. */
  readonly pay: string;
  /** The subscription's last order that counted when the form was shown. */
  readonly last: string;
  /** A digest of what the page said of the term. */
  readonly terms: string;
  readonly redirects: PaymentState['redirects'];
  readonly member: { readonly id: number; readonly actor_id: number | null };
  readonly now: Date;
}

/** Plans the order for the next term, or returns the one that is open or was placed since the form was shown. */
export function planRenewal(
  loaded: Results<ReturnType<typeof loadRenewal>>,
  { pay, last, terms, redirects, member, now }: RenewalRequest,
  again: RenewalTry | undefined,
) {
  const [row] = loaded.found;
  const [fee] = loaded.signup;
  const [first] = loaded.first;
  const [product] = loaded.purchase.product;
  if (!row || !fee || !first || !product) return refuse('rest_not_found');
  const [open] = loaded.open;
  if (open) return { write: [], events: [], order_id: open.id };
  const { order_id } = row.subscription;
  if (last !== String(order_id)) return { write: [], events: [], order_id };
  const cart = cartState(loaded.purchase);
  const { terms: placed, changes } = loaded;
  const offer = renewalOffer({ ...row, ...fee, terms: placed, changes }, product, first.order, {
    settings: cart.settings,
    redirects,
    now,
  });
  const way = offer.ways.find((one) => choiceOf(one) === pay);
  if (offer.isStranded || offer.terms !== terms || !way) return refuse('rest_conflict');
  const draw = { chance: Math.random(), lost: again?.tries ?? 0 };
  const created = createOrder(
    { ...cart, id: nextId(loaded.id), redirects, draw },
    renewalOf(product, first.order, way.id),
    { type: 'user', id: member.actor_id ?? member.id },
    now,
  );
  if (isRefusal(created)) return created;
  const plan = planCreation(created, loaded);
  if (isRefusal(plan)) return plan as Refusal;
  return {
    write: [
      holdSubscription(row.subscription),
      expectNoRenewal(row.subscription.id),
      ...plan.write,
    ],
    events: plan.events,
    again: { due: quotableTotal(created.row.order), tries: (again?.tries ?? 0) + 1 },
    order_id: created.row.order.id,
  };
}
