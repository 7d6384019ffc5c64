import type { Config } from '../../config.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { addSeconds } from '../../lib/instant.ts';
import { linkedFiles } from '../../actions/files/links.ts';
import { loadRights, rightsOf } from '../../actions/files/rights.ts';
import { type LinkedOrder, generationOf } from '../../actions/shop/secrets.ts';
import { statusGroup } from '../../domain/order/transitions.ts';
import { isReversed } from '../../domain/payment/sessions.ts';
import { type ProvidedRefund, shownProvided } from '../../domain/refund/rules.ts';
import { factsOf } from '../../processes/messages/preparing.ts';
import { findReported } from '../../queries/confirmations.ts';
import { findFilesOfOrder } from '../../queries/files.ts';
import { loadFacts } from '../../queries/message-facts.ts';
import { ofOrder } from '../../queries/order-columns.ts';
import { findProductOf } from '../../queries/products.ts';
import { findRefunds } from '../../queries/refunds.ts';
import { findBuyerOf } from '../../queries/users.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { OrderView } from './view/order/view.ts';

/** Seconds for which a link opens an order that was paid, cancelled or refunded. */
const linkLifetime = 30 * 86_400;

/** The facts of the completion message, and more. */
export const loadOrder = (id: number, now: Date) => ({
  ...loadFacts(
    {
      ...({ kind: 'order-completed', medium: 'email', order_id: id } as const),
      ...{ user_id: null, record_id: null, reminder_id: null, message_id: null },
    },
    now,
  ),
  buyer: findBuyerOf(id),
  files: findFilesOfOrder(id),
  rights: loadRights(ofOrder('user_id', id), { order_id: id }),
  product: findProductOf(id),
  reported: findReported(id),
  refunds: findRefunds(id),
});

type Loaded = Results<ReturnType<typeof loadOrder>>;

interface Context {
  readonly config: Config;
  readonly authority: Authority;
  readonly now: Date;
}

type ShownOrder = Omit<OrderView, 'token' | 'takesPictures' | 'returned'> & {
  readonly generation: number;
};

export async function orderView(
  loaded: Loaded,
  { id, generation }: LinkedOrder,
  context: Context,
): Promise<ShownOrder | undefined> {
  const [found] = loaded.order;
  if (!found || found.order.id !== id) return undefined;
  if (generationOf(loaded.form[0], loaded.buyer[0]) !== generation) return undefined;
  const { refunded_at, cancelled_at, paid_at } = found.order;
  const settled = refunded_at ?? cancelled_at ?? paid_at;
  const isOver = settled !== null && addSeconds(settled, linkLifetime) < context.now.toISOString();
  return isOver ? undefined : shownOrder(loaded, context);
}

export async function ownOrderView(
  loaded: Loaded,
  user_id: number,
  context: Context,
): Promise<ShownOrder | undefined> {
  const [found] = loaded.order;
  return found?.order.user_id === user_id && found.order.deleted_at === null
    ? shownOrder(loaded, context)
    : undefined;
}

async function shownOrder(loaded: Loaded, context: Context): Promise<ShownOrder | undefined> {
  const [settings] = loaded.settings;
  const [found] = loaded.order;
  const [form] = loaded.form;
  const [buyer] = loaded.buyer;
  const [product] = loaded.product;
  if (!settings || !found || !buyer || !product) return undefined;
  const { order } = found;
  const { order: facts } = factsOf(loaded, settings, context, null);
  if (!facts) return undefined;
  const hasAccess = settings.access_statuses.includes(order.status);
  return {
    ...{ order, facts, hasAccess, product: product.product },
    generation: form?.link_generation ?? 0,
    buyer: form?.name || buyer.display_name,
    isTakenBack: isTakenBack(order, loaded.sessions),
    refunds: loaded.refunds.map(shownRefundOf),
    reported: loaded.reported[0]?.status,
    rejectReason: loaded.reported[0]?.reject_reason ?? '',
    files: hasAccess ? await filesOf(loaded, order, context) : [],
  };
}

/** Tells if the bank has taken back the payment of an order that still counts as paid. */
const isTakenBack = ({ paid_at, status }: OrderColumns, sessions: readonly SessionRow[]): boolean =>
  paid_at !== null &&
  statusGroup(status) !== 'closed' &&
  sessions.some((session) => session.booked_at === paid_at && isReversed(session));

const shownRefundOf = (row: ProvidedRefund): OrderView['refunds'][number] => ({
  amount: row.refund.amount,
  state: row.provided?.error === 'reversed' ? 'reversed' : shownProvided(row).state,
});

/** New links to the order's files. The order's link shows no other orders. A renewal's grant is its first order's. */
async function filesOf(
  { files, rights }: Loaded,
  { id, order_parent_id }: OrderColumns,
  context: Context,
) {
  const all = rightsOf(rights, context.now);
  if (!all) return [];
  const grants = all.grants.filter((grant) => grant.order_id === (order_parent_id ?? id));
  return linkedFiles(files, { ...all, grants }, context);
}
