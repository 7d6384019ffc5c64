import type * as z from 'zod';
import { type Results, type Write, drawId, nextId } from '../../kernel/database/statements.ts';
import type { Answer, Decision } from '../../kernel/command/decision.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { type ErrorCode, type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { generationOf, orderLink } from '../../actions/shop/secrets.ts';
import type { Config } from '../../config.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { refusedAmount } from '../../domain/payment/amounts.ts';
import { type PageStep, nextStep } from '../../domain/payment/pages.ts';
import { amountDue, gatewayOf, toSession } from '../../domain/payment/rules.ts';
import type { Gateway as ShownGateway, GatewaySessionReply } from '../../domain/payment/schemas.ts';
import { changed, newPayment, newSession } from '../../domain/payment/sessions.ts';
import type { OrderRow } from '../../domain/order/rules.ts';
import type { Person } from '../../domain/user/rules.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { holdOrder } from '../../queries/order-guards.ts';
import { findOrder } from '../../queries/orders.ts';
import {
  findSessions,
  insertSession,
  keepLatePage,
  keepPage,
  noteFailedOpening,
  saveSession,
  supersedeSessions,
} from '../../queries/payment-sessions.ts';
import { findFormOf } from '../../queries/purchase-forms.ts';
import { findSettings } from '../../queries/settings.ts';
import { findBuyerOf } from '../../queries/users.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { PurchaseFormRow } from '../../schema/purchase-forms.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { openAtProvider, unavailable } from './open-payment.ts';

export type Reply = z.input<typeof GatewaySessionReply>;

interface Payable {
  readonly row: OrderRow;
  readonly settings: SettingsRow;
  readonly buyer: Person;
  readonly shown: ShownGateway;
  /** Undefined unless the order was placed in the shop. */
  readonly form: PurchaseFormRow | undefined;
}

export interface Todo extends Payable {
  readonly gateway: Gateway;
  readonly step: Exclude<PageStep, { kind: 'show' | 'open' }>;
}

export const loadPage = (order_id: number) => ({
  found: findOrder(order_id),
  settings: findSettings(),
  sessions: findSessions(order_id),
  buyer: findBuyerOf(order_id),
  form: findFormOf(order_id),
  id: drawId('payment_sessions'),
});

type PageDecision = Decision<Reply, 'rest_conflict'> & { readonly todo?: Todo };

export type Loaded = Results<ReturnType<typeof loadPage>>;

interface PageRequest {
  /** True once the provider was asked about the open payment. */
  readonly asked: boolean;
  /** True if the next caller may ask only ten seconds later. */
  readonly claims: boolean;
  /** False if no page is opened. */
  readonly opens: boolean;
  /** Random, for the reference of a new payment. */
  readonly uuid: string;
  readonly now: Date;
}

/** Returns the answer about an order's page, or the next step towards it. */
export function decidePage(
  loaded: Loaded,
  providers: readonly Gateway[],
  { asked, claims, opens, uuid, now }: PageRequest,
): PageDecision | Refusal<'rest_not_found' | 'order_not_payable'> {
  const payable = payableOf(loaded, providers, now);
  if (isRefusal(payable)) return payable;
  const gateway = providers.find(({ id }) => id === payable.shown.id);
  const waits = { write: [], reply: replyOf(payable, null, false) };
  if (!gateway) return waits;
  const step = nextStep(loaded.sessions, payable.row.order, gateway, asked, now);
  if (step.kind === 'show') return { write: [], reply: replyOf(payable, step.session, true) };
  if (!opens && step.kind !== 'ask') return waits;
  if (step.kind === 'ask' && claims) {
    const session = changed(step.session, now);
    const write = [saveSession(step.session, session)];
    return { ...waits, write, todo: { ...payable, gateway, step: { kind: 'ask', session } } };
  }
  if (step.kind !== 'open') return { ...waits, todo: { ...payable, gateway, step } };
  const { order } = payable.row;
  const reason = refusedAmount(gateway, { ...payable.settings, amount: order.grand_total });
  if (reason) return refuse('order_not_payable', { message: `Its gateway ${reason}.` });
  const session = newSession(order, gateway, { id: nextId(loaded.id), uuid }, now);
  return {
    write: [
      holdOrder(order),
      supersedeSessions(order.id, now, loaded.sessions),
      insertSession(session),
    ],
    reply: waits.reply,
    todo: { ...payable, gateway, step: { kind: 'repeat' as const, session } },
  };
}

function payableOf(
  { found: [row], settings: [settings], buyer: [buyer], form: [form] }: Loaded,
  providers: readonly Gateway[],
  now: Date,
): Payable | Refusal<'rest_not_found' | 'order_not_payable'> {
  if (!row || !settings || !buyer) return refuse('rest_not_found');
  const shown = gatewayOf(row.order, settings, providers);
  const { expires_at } = row.order;
  const isOver = expires_at !== null && expires_at <= now.toISOString();
  return !shown || isOver || amountDue(row.order) === 0
    ? refuse('order_not_payable')
    : { row, settings, buyer: typed(buyer, form), shown, form };
}

/** Shows a buyer as typed: knowing an address must reveal nothing of its account. */
const typed = (buyer: Person, form: PurchaseFormRow | undefined): Person =>
  form ? { ...buyer, display_name: form.name, phone: form.phone } : buyer;

export const replyOf = (
  { row, shown }: Payable,
  session: SessionRow | null,
  reused: boolean,
): Reply =>
  one({ order_id: row.order.id, gateway: shown, session: session && toSession(session), reused });

export type OpeningCode =
  | 'order_not_payable'
  | 'payment_refused'
  | 'gateway_unavailable'
  | 'rest_conflict';

export interface PageServices {
  readonly http: Outbound;
  readonly config: Config;
  readonly authority: Authority;
  readonly now: Date;
}

export async function openPage(
  todo: Todo,
  before: SessionRow,
  db: WriteAccess<Reply>,
  { http, config, authority, now }: PageServices,
): Promise<Answer | Refusal<OpeningCode>> {
  const { gateway, settings, row, buyer, form } = todo;
  const { order, product } = row;
  const payment = newPayment(
    before,
    { order, title: product.title, buyer },
    {
      ...{ gateway, settings, api: authority.audience },
      page: await orderLink(order.id, generationOf(form, buyer), { config, authority }),
    },
  );
  if (!payment) return refuse('order_not_payable');
  const { session, refusal } = await openAtProvider(before, payment, gateway, http, now);
  const keep = <C extends ErrorCode>(write: Write<C>) =>
    db.change({
      load: {},
      decide: () => ({ write: [write], reply: replyOf(todo, session, false) }),
    });
  if (refusal) {
    await keep(noteFailedOpening(session));
    return refusal;
  }
  const kept = await keep(keepPage(session));
  if (!isRefusal(kept)) return kept;
  await keep(keepLatePage(session));
  return unavailable;
}
