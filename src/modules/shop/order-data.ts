import type { Config } from '../../config.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { addSeconds } from '../../lib/instant.ts';
import { type LinkedOrder, generationOf } from '../../actions/shop/secrets.ts';
import { factsOf } from '../../processes/messages/preparing.ts';
import { findReported } from '../../queries/confirmations.ts';
import { loadFacts } from '../../queries/message-facts.ts';
import { findProductOf } from '../../queries/products.ts';
import { findBuyerOf } from '../../queries/users.ts';
import type { OrderView } from './view/order.tsx';

/** Seconds for which a link opens an order after it was paid, cancelled or refunded. */
const linkLifetime = 30 * 86_400;

/** The data of an order's page: the facts of its completion message, and more. */
export const loadOrder = (id: number, now: Date) => ({
  ...loadFacts(
    {
      ...({ kind: 'order-completed', medium: 'email', order_id: id } as const),
      ...{ user_id: null, record_id: null, reminder_id: null, message_id: null },
    },
    now,
  ),
  buyer: findBuyerOf(id),
  product: findProductOf(id),
  reported: findReported(id),
});

type Loaded = Results<ReturnType<typeof loadOrder>>;

/** Loads the order of a link; undefined if the link no longer opens it. */
export function orderView(
  loaded: Loaded,
  { id, generation }: LinkedOrder,
  { config, now }: { readonly config: Config; readonly now: Date },
): Omit<OrderView, 'token'> | undefined {
  const [settings] = loaded.settings;
  const [found] = loaded.order;
  const [form] = loaded.form;
  const [buyer] = loaded.buyer;
  const [product] = loaded.product;
  if (!settings || !found || !buyer || !product) return undefined;
  if (found.order.id !== id || generationOf(form, buyer) !== generation) return undefined;
  const { order } = found;
  const settled = order.refunded_at ?? order.cancelled_at ?? order.paid_at;
  if (settled !== null && addSeconds(settled, linkLifetime) < now.toISOString()) return undefined;
  const { order: facts } = factsOf(loaded, settings, { config, now }, null);
  if (!facts) return undefined;
  return {
    ...{ order, facts, product: product.product },
    buyer: form?.name ?? buyer.display_name,
    reported: loaded.reported[0]?.status,
    hasAccess: settings.access_statuses.includes(order.status),
  };
}
