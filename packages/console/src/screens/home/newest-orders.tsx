import { Link } from 'wouter';
import type { Order } from '../../api/generated.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Money } from '../../parts/money.tsx';
import { OrderState } from '../../parts/order-status.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function NewestOrders({ orders }: { readonly orders: readonly Order[] }) {
  const t = useTexts(texts);
  const columns: readonly Column<Order>[] = [
    { id: 'order', name: t.columns.order, cell: ({ number }) => number },
    { id: 'status', name: t.columns.status, cell: ({ status }) => <OrderState status={status} /> },
    { id: 'buyer', name: t.columns.buyer, cell: ({ user }) => user.display_name },
    {
      id: 'total',
      name: t.columns.total,
      end: true,
      cell: ({ grand_total, currency }) => <Money amount={grand_total} currency={currency} />,
    },
    {
      id: 'placed',
      name: t.columns.placed,
      end: true,
      cell: ({ created_at }) => <Time at={created_at} as="distance" />,
    },
  ];
  return (
    <Section title={t.newest} actions={<Link href="/orders">{t.allOrders}</Link>}>
      <DataTable
        label={t.newest}
        dense
        columns={columns}
        rows={orders.slice(0, 6)}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/orders/${id}`}
      />
    </Section>
  );
}
