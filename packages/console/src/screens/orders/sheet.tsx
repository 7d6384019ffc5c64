import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type {
  Order,
  OrderHistoryEntry,
  OrderShipping,
  OrderWithHistory,
  Refund,
} from '../../api/generated.ts';
import { useSession } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { useNeighbours } from '../../parts/data-table.tsx';
import { Buyer } from '../../parts/buyer.tsx';
import { useGateway } from '../../parts/gateway.ts';
import { Money } from '../../parts/money.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { OrderActions } from './actions.tsx';
import { Made } from './made.tsx';
import { RefundedState, openSums, useRefundsOf } from './refunds.tsx';
import { texts } from './texts.ts';

interface OrderSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly Order[];
  readonly hrefOf: (order: Order) => string;
  readonly state: ListState;
}

export function OrderSheet({ id, rows, hrefOf, state }: OrderSheetProps) {
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const query = useQuery({
    queryKey: ['orders', id],
    queryFn: async ({ signal }) => (await api.orders.get(id, { signal })).data,
  });
  const { data } = query;
  const order = data ?? rows.find((row) => row.id === id);
  return (
    <Sheet
      title={order?.number}
      query={query}
      aside={order && <RefundedState order={order} />}
      onClose={() => navigate(`/orders${state.query()}`)}
      {...neighbours}
      actions={data && <OrderActions key={`${data.id} ${data.version}`} order={data} />}
    >
      {data && <Shown order={data} />}
    </Sheet>
  );
}

/** The text that goes on a parcel. */
const receiverOf = ({ receiver, phone, address, postal_code, country }: OrderShipping) =>
  [receiver, phone, address, postal_code, country].filter(Boolean).join(', ');

function Shown({ order }: { readonly order: OrderWithHistory }) {
  const t = useTexts(texts).sheet;
  const gatewayOf = useGateway();
  const { user, affiliate, shipping, product, quantity } = order;
  return (
    <>
      <p className="order-what">
        {product.title}
        {quantity > 1 && ` × ${quantity}`}
        {order.variants.length > 0 && (
          <span className="faint"> · {order.variants.map(({ label }) => label).join(', ')}</span>
        )}
      </p>
      <Facts
        items={[
          [t.buyer, <Buyer user={user} />],
          [t.placed, <Time at={order.created_at} as="both" />],
          [t.paid, order.paid_at && <Time at={order.paid_at} as="both" />],
          [t.expires, order.expires_at && <Time at={order.expires_at} as="both" />],
          [t.gateway, gatewayOf(order.payment_gateway)],
          [t.affiliate, affiliate?.display_name],
          [t.coupon, order.coupon_code],
          [t.receiver, shipping && receiverOf(shipping)],
          [t.courier, shipping && [shipping.courier, shipping.service].filter(Boolean).join(' ')],
          [t.tracking, shipping?.tracking_number],
          [t.note, order.note],
        ]}
      />
      <Section title={t.money}>
        <Sums order={order} />
      </Section>
      <Made order={order} />
      <Section title={t.history}>
        <History order={order} />
      </Section>
    </>
  );
}

const parts = [
  ...['subtotal', 'variant_total', 'signup_fee', 'discount_total', 'shipping_total'],
  ...['fee_total', 'tax_total', 'unique_code', 'adjustment_total'],
] as readonly Part[];
type Part = Exclude<
  keyof (typeof texts)['en']['sums'],
  'grand_total' | 'refunded_total' | 'net_total'
>;

function Sums({ order }: { readonly order: Order }) {
  const t = useTexts(texts).sums;
  const amountOf = (part: Part) => (part === 'discount_total' ? -order[part] : order[part]);
  const shown = parts.filter((part) => part === 'subtotal' || order[part] !== 0);
  return (
    <table className="plain-table sums">
      <tbody>
        {shown.map((part) => (
          <Sum key={part} name={t[part]} amount={amountOf(part)} currency={order.currency} />
        ))}
      </tbody>
      <tfoot>
        <Sum name={t.grand_total} amount={order.grand_total} currency={order.currency} />
        {order.refunded_total > 0 && <RefundSums order={order} />}
      </tfoot>
    </table>
  );
}

function RefundSums({ order }: { readonly order: Order }) {
  const t = useTexts(texts);
  const refunds = useRefundsOf(order);
  const { requested, failed } = openSums(refunds ?? []);
  const rows = [
    [refunds ? t.sums.refunded_total : t.parts.refunds, order.refunded_total - requested - failed],
    [t.refunds.requested, requested],
    [t.refunds.failed, failed],
  ] as const;
  return (
    <>
      {rows
        .filter(([, amount]) => amount > 0)
        .map(([name, amount]) => (
          <Sum key={name} name={name} amount={-amount} currency={order.currency} />
        ))}
      <Sum name={t.sums.net_total} amount={order.net_total} currency={order.currency} />
    </>
  );
}

interface SumProps {
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
}

const Sum = ({ name, amount, currency }: SumProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td className="end">
      <Money amount={amount} currency={currency} />
    </td>
  </tr>
);

/** An event in the life of an order. */
interface Happening {
  readonly key: string;
  readonly by: string;
  readonly at: string;
  readonly what: ReactNode;
  readonly note: string | null;
}

/** The changes of an order's status and its refunds, oldest first. */
function useHappenings(order: OrderWithHistory): readonly Happening[] {
  const t = useTexts(texts);
  const names = useTexts(orderStatuses);
  const nameOf = useActorName(order);
  const refunds = useRefundsOf(order) ?? [];
  const moves = order.history.map((entry) => ({
    ...entry,
    key: `${entry.at} ${entry.to} ${entry.note ?? ''}`,
    by: isOfBuyer(entry) ? t.actors.buyer : nameOf(entry),
    // The refunds of the order show if the money was paid back.
    what: entry.to === 'refunded' ? t.refunds.full : names[entry.to],
  }));
  const made = refunds.map(({ id, created_at, reason, amount, currency, state, ...actor }) => ({
    key: `refund ${id}`,
    by: nameOf(actor),
    at: created_at,
    what: (
      <>
        {t.refunds.one} <Money amount={amount} currency={currency} />: {t.states.refund[state]}
      </>
    ),
    note: reason,
  }));
  return [...moves, ...made].toSorted((one, other) => one.at.localeCompare(other.at));
}

/**
 * Tells if a buyer ordered or reported a payment on the shop's pages, which act as the system. The system's own changes
 * of this kind have a note.
 */
const isOfBuyer = ({ actor_type, from, to, note }: OrderHistoryEntry): boolean =>
  actor_type === 'system' && note === null && (from === null || to === 'payment-confirm');

/**
 * Returns the name of an actor. A refund only has the actor's id, so the name is taken from the
 * order's history.
 */
function useActorName({ history }: OrderWithHistory) {
  const { actors } = useTexts(texts);
  const { user } = useSession();
  return ({ actor_type, actor_id }: Pick<Refund, 'actor_type' | 'actor_id'>): string => {
    if (actor_type === 'user' && actor_id === user.id) return user.display_name;
    const entry = history.find(
      (each) => each.actor_type === actor_type && each.actor_id === actor_id,
    );
    return entry?.actor_name ?? actors[actor_type];
  };
}

function History({ order }: { readonly order: OrderWithHistory }) {
  const { sheet } = useTexts(texts);
  return (
    <ol className="history">
      {useHappenings(order).map(({ key, by, at, what, note }) => (
        <li key={key}>
          <strong>{what}</strong>
          <span className="faint">
            {' '}
            {sheet.by} {by}
          </span>
          {note && <p>{note}</p>}
          <p className="faint small">
            <Time at={at} as="both" />
          </p>
        </li>
      ))}
    </ol>
  );
}
