import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Order, OrderHistoryEntry, OrderWithHistory } from '../../api/generated.ts';
import type { ListState } from '../../lib/address.ts';
import { useNeighbours } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Money } from '../../parts/money.tsx';
import { OrderState, orderStatuses } from '../../parts/order-status.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { OrderActions } from './actions.tsx';
import { Made } from './made.tsx';
import { texts } from './texts.ts';

interface OrderSheetProps {
  readonly id: number;
  /** The list that it stands beside. */
  readonly rows: readonly Order[];
  readonly hrefOf: (order: Order) => string;
  readonly state: ListState;
}

/** An order with everything it made, and what may become of it. */
export function OrderSheet({ id, rows, hrefOf, state }: OrderSheetProps) {
  const { loading } = useTexts(common);
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', id],
    queryFn: async ({ signal }) => (await api.orders.get(id, { signal })).data,
  });
  const order = data ?? rows.find((row) => row.id === id);
  return (
    <Sheet
      title={order?.number ?? loading}
      aside={order && <OrderState status={order.status} />}
      onClose={() => navigate(`/orders${state.query()}`)}
      {...neighbours}
      actions={data && <OrderActions key={`${data.id} ${data.version}`} order={data} />}
    >
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data && <Shown order={data} />}
    </Sheet>
  );
}

function Shown({ order }: { readonly order: OrderWithHistory }) {
  const t = useTexts(texts).sheet;
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
          [
            t.buyer,
            <>
              {user.display_name} <span className="faint">{user.email}</span>
            </>,
          ],
          [t.placed, <Time at={order.created_at} as="both" />],
          [t.paid, order.paid_at && <Time at={order.paid_at} as="both" />],
          [t.expires, order.expires_at && <Time at={order.expires_at} as="both" />],
          [t.gateway, order.payment_gateway],
          [t.affiliate, affiliate?.display_name],
          [t.coupon, order.coupon_code],
          [
            t.receiver,
            shipping && [shipping.receiver, shipping.address].filter(Boolean).join(', '),
          ],
          [t.tracking, shipping?.tracking_number],
          [t.note, order.note],
        ]}
      />
      <Section title={t.money}>
        <Sums order={order} />
      </Section>
      <Made order={order} />
      <Section title={t.history}>
        <History entries={order.history} />
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

/** How the total came about, and what was given back. */
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
        {order.refunded_total > 0 && (
          <>
            <Sum name={t.refunded_total} amount={-order.refunded_total} currency={order.currency} />
            <Sum name={t.net_total} amount={order.net_total} currency={order.currency} />
          </>
        )}
      </tfoot>
    </table>
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

function History({ entries }: { readonly entries: readonly OrderHistoryEntry[] }) {
  const { sheet, actors } = useTexts(texts);
  const names = useTexts(orderStatuses);
  return (
    <ol className="history">
      {entries.map(({ at, to, actor_type, actor_id, note }) => (
        <li key={`${at} ${to} ${note ?? ''}`}>
          <strong>{names[to]}</strong>
          <span className="faint">
            {' '}
            {sheet.by} {actors[actor_type]} {actor_id ?? ''}
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
