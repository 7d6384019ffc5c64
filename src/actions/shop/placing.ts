import { drawId, nextId, type Results, type Write } from '../../kernel/database/statements.ts';
import type { DomainEvent } from '../../kernel/events/define.ts';
import { type ErrorCode, type Refusal, isRefusal } from '../../kernel/errors/errors.ts';
import {
  type FormField,
  type CheckoutForm,
  emailOf,
  faultyFields,
  quantityOf,
} from '../../domain/checkout/form.ts';
import { type Offer, offerOf } from '../../domain/checkout/offer.ts';
import type { QuoteClaims } from '../../domain/checkout/quote.ts';
import { checkoutTerms } from '../../domain/checkout/terms.ts';
import { createOrder } from '../../domain/purchase/create.ts';
import type { OrderCreate } from '../../domain/order/request-schemas.ts';
import { type Person, newUser } from '../../domain/user/rules.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { insertNewBuyer } from '../../queries/new-buyers.ts';
import {
  completeForm,
  findForm,
  findUnpaidOf,
  insertForm,
  limitLinks,
  limitOrders,
} from '../../queries/purchase-forms.ts';
import {
  candidatesOf,
  cartState,
  drawBuyer,
  formParameters,
  loadPurchase,
} from '../../queries/purchases.ts';
import { insertBuyer } from '../../queries/user-writes.ts';
import { loadReactions } from '../../reactions/index.ts';
import { planCreation } from '../../reactions/plan.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { PurchaseFormRow } from '../../schema/purchase-forms.ts';

export interface SentForm {
  readonly slug: string;
  readonly form: CheckoutForm;
  /** The form may be stored under these keys, and is new under the first. */
  readonly keys: readonly string[];
  /** The key of the form in a mailed link. A repeated form then doesn't reveal what the link ordered. */
  readonly mailedKey: string;
  /** HMACs of the sender's network in the last hour; none if it is unknown. */
  readonly networks: readonly string[];
  /** True if the form came by the link in its sender's mail. */
  readonly isVerified: boolean;
  /** The price and the terms that the sender saw. */
  readonly seen: QuoteClaims | null;
}

/** Facts for the next try, if another order took the transfer amount or changed the state. */
export interface DrawState {
  readonly due: number;
  readonly tries: number;
}

export function loadForm({ slug, form, keys }: SentForm, now: Date, again: DrawState | undefined) {
  const { coupon, ref } = form;
  const parameters = formParameters(
    { slug, email: emailOf(form), coupon, ref: ref || undefined, quantity: quantityOf(form) },
    now,
    again?.due,
  );
  return {
    id: drawId('orders'),
    newBuyer: drawBuyer(parameters),
    ...loadPurchase(parameters),
    reactions: loadReactions({
      kind: 'new',
      ...parameters,
      candidates: candidatesOf(parameters),
    }),
    accepted: findForm(keys),
    unpaid: findUnpaidOf(emailOf(form) ?? '', now),
  };
}

type Loaded = Results<ReturnType<typeof loadForm>>;

/** Why a form makes no order. */
export type Hindrance = 'faults' | 'closed' | 'changed' | 'choice';

export type FormOutcome =
  | { readonly kind: 'placed'; readonly order_id: number; readonly generation: number }
  | { readonly kind: 'missing' }
  /** The mail goes to the address, whoever owns it. */
  | { readonly kind: 'mail'; readonly email: string }
  | {
      readonly kind: 'show';
      readonly offer: Offer;
      readonly why: Hindrance;
      readonly faults: readonly FormField[];
    };

interface FormDecision {
  readonly outcome: FormOutcome;
  readonly write: readonly Write<ErrorCode>[];
  readonly events: readonly DomainEvent[];
  readonly again?: DrawState;
}

const without = (outcome: FormOutcome): FormDecision => ({ outcome, write: [], events: [] });

interface DecisionContext {
  readonly redirects: readonly Gateway[];
  /** True if the store has an e-mail sender. */
  readonly sendsLinks: boolean;
  readonly again?: DrawState;
  readonly now: Date;
}

/** Places an order, sends a mail, or shows the page again with errors. */
export function decideForm(
  loaded: Loaded,
  sent: SentForm,
  { redirects, sendsLinks, again, now }: DecisionContext,
): FormDecision | Refusal {
  const [earlier] = loaded.accepted;
  if (earlier?.order_id) return without(placedBy(earlier));
  const { isVerified, form } = sent;
  const cart = cartState(loaded);
  const draw = { chance: Math.random(), lost: again?.tries ?? 0 };
  const state = { ...cart, redirects, draw, ...(isVerified ? {} : nobody) };
  const offer = offerOf(state, form, now);
  if (!offer) return without({ kind: 'missing' });
  const hindrance = hindranceOf(offer, sent, cart.settings);
  if (hindrance) return without({ kind: 'show', offer, ...hindrance });
  const row = formRow(sent, now);
  const { shop_unpaid_orders, shop_hourly_orders, shop_hold_hours } = cart.settings;
  const limits = {
    unpaid: shop_unpaid_orders,
    hourly: shop_hourly_orders,
    networks: sent.networks,
  };
  const isFull = Number(loaded.unpaid.rows[0]?.orders) >= shop_unpaid_orders;
  // Unpaid orders that somebody else placed with this address don't keep its owner from buying.
  if (!isVerified && (offer.needsLink || (isFull && sendsLinks))) {
    const write = [...limitLinks(row, limits), insertForm({ ...row, key: sent.mailedKey })];
    return { outcome: { kind: 'mail', email: row.email }, write, events: [] };
  }
  const person = personOf(loaded, sent, now);
  const created = createOrder(
    {
      ...state,
      id: nextId(loaded.id),
      buyer: person.buyer,
      ...(!isVerified && { stranger: { email: row.email, phone: row.phone } }),
      // Anybody may own many addresses, so only a purchase that depends on its buyer waits for days.
      ...((!isVerified || !offer.needsLink || isFull) && { hold: shop_hold_hours * 3600 }),
    },
    orderOf(offer),
    { type: 'system', id: null },
    now,
  );
  if (isRefusal(created)) return created;
  const plan = planCreation(created, loaded);
  if (isRefusal(plan)) return plan;
  const { id, grand_total, unique_code } = created.row.order;
  const complete = { ...row, key: earlier?.key ?? row.key, order_id: id };
  return {
    outcome: placedBy(complete),
    write: [
      ...(person.isNew
        ? [insertBuyer(person.row), insertNewBuyer(person.row.user.id, row.created_at)]
        : []),
      ...(earlier && isVerified ? [] : limitOrders(row, limits)),
      ...plan.write,
      earlier ? completeForm(complete) : insertForm(complete),
    ],
    events: plan.events,
    again: { due: grand_total - unique_code, tries: (again?.tries ?? 0) + 1 },
  };
}

/** A buyer of whom only an address is known. */
export const nobody = {
  buyer: undefined,
  usedByBuyer: 0,
  hasOrdered: false,
  lastPurchase: undefined,
};

const placedBy = ({ order_id, link_generation }: PurchaseFormRow): FormOutcome => ({
  kind: 'placed',
  order_id: order_id ?? 0,
  generation: link_generation ?? 0,
});

function hindranceOf(
  offer: Offer,
  { seen }: SentForm,
  settings: SettingsRow,
): { why: Hindrance; faults: readonly FormField[] } | undefined {
  const { form, price, isClosed, isPayable, isShipped, countries } = offer;
  const faults = faultyFields(form, isShipped, countries, settings);
  if (isClosed) return { why: 'closed', faults };
  if (!price?.valid || !isPayable) return { why: 'choice', faults };
  if (faults.length > 0) return { why: 'faults', faults };
  const isSeen = seen?.grand_total === price.grand_total && seen.terms === checkoutTerms(offer);
  return isSeen ? undefined : { why: 'changed', faults };
}

const formRow = (
  { form, keys: [key = ''], networks: [network = ''] }: SentForm,
  now: Date,
): PurchaseFormRow => ({
  key,
  order_id: null,
  name: form.name,
  email: emailOf(form) ?? '',
  phone: form.phone,
  network,
  link_generation: 0,
  created_at: now.toISOString(),
});

/** The buyer with this address, or a new one. The typed details change no account. */
function personOf(loaded: Loaded, { form }: SentForm, now: Date) {
  const [known] = loaded.buyer;
  if (known) {
    const buyer: Person = { ...known, phone: known.phone || form.phone };
    return { buyer, isNew: false as const };
  }
  const { name, phone } = form;
  const row = newUser(
    { email: emailOf(form) ?? '', display_name: name, phone },
    null,
    nextId(loaded.newBuyer),
    now,
  );
  return { buyer: { ...row.user, group: null }, isNew: true as const, row };
}

function orderOf({ form, cart }: Offer): OrderCreate {
  const { coupon, shipping_option_id: option_id, country = '', postal_code: _, ...same } = cart;
  const { name: receiver, phone, address, postal_code } = form;
  return {
    ...same,
    ...(coupon && { coupon_code: coupon }),
    ...(form.ref && { ref: form.ref }),
    ...(option_id && {
      shipping: { option_id, receiver, phone, address, postal_code, country },
    }),
  };
}
