import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Order, OrderStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { DayField, FilterChips, SearchField } from '../../parts/filters.tsx';
import { Money } from '../../parts/money.tsx';
import { useCustomerNames } from '../../parts/names.tsx';
import { OrderState, orderStatuses } from '../../parts/order-status.tsx';
import { Page } from '../../parts/page.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { BankEntries, bankEntries } from './bank-entries.tsx';
import { texts as bankTexts } from './bank-texts.ts';
import { CancelUnpaid } from './cancel-unpaid.tsx';
import { NoOrders } from './no-orders.tsx';
import { OrderSheet } from './sheet.tsx';
import { FailedRefunds, RefundsByHand, failedRefunds, refundsByHand } from './refunds.tsx';
import { texts } from './texts.ts';
import { UnexpectedPayments, unexpectedPayments } from './unexpected.tsx';
import { WaitingLink } from './waiting.tsx';

const statuses = Object.keys(orderStatuses.en) as OrderStatus[];

/** The views besides the list of orders. */
const waiting = new Map([
  [unexpectedPayments.view, UnexpectedPayments],
  [failedRefunds.view, FailedRefunds],
  [refundsByHand.view, RefundsByHand],
  [bankEntries.view, BankEntries],
]);

export default function Orders() {
  const t = useTexts(texts);
  const bank = useTexts(bankTexts);
  const state = useListState();
  const Waiting = waiting.get(state.values['view'] ?? '');
  return (
    <Page
      title={t.title}
      actions={
        <>
          <WaitingLink of={failedRefunds} name={t.refunds.title} />
          <WaitingLink of={refundsByHand} name={t.refundsByHand.title} />
          <WaitingLink of={bankEntries} name={bank.title} />
          <WaitingLink of={unexpectedPayments} name={t.payments.title} />
        </>
      }
    >
      <Views state={state} />
      {Waiting ? <Waiting /> : <OrderList state={state} />}
    </Page>
  );
}

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const names = useTexts(orderStatuses);
  const locale = useLocale();
  const { status: current = '', view } = state.values;
  const { data: count } = useQuery({
    queryKey: ['orders', 'count'],
    queryFn: async ({ signal }) => (await api.orders.count({}, { signal })).data,
  });
  const tabs = (['', ...statuses] as const).map((status) => ({
    href: `/orders${state.query({ status, view: '', cursor: '' })}`,
    name: status === '' ? all : names[status],
    current: view === undefined && status === current,
    count: (status === '' ? count?.count : count?.by_status[status])?.toLocaleString(locale),
  }));
  return <LinkTabs label={t.views} items={tabs} />;
}

function OrderList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const may = useMay();
  const open = useRecordId('/orders/:id');
  const {
    status,
    search = '',
    cursor,
    product_id,
    affiliate_id,
    from = '',
    to = '',
  } = state.values;
  const query = {
    status: statuses.find((each) => each === status),
    search: search || undefined,
    product_id: product_id ? Number(product_id) : undefined,
    affiliate_id: affiliate_id ? Number(affiliate_id) : undefined,
    date_start: from || undefined,
    date_end: to || undefined,
    cursor,
  };
  const list = useList('orders', query, api.orders.list);
  const isFiltered = [status, search, product_id, affiliate_id, from, to].some(Boolean);
  const hrefOf = ({ id }: Order) => `/orders/${id}${state.query()}`;
  return (
    <>
      <div className="toolbar">
        <SearchField
          value={search}
          label={t.search}
          onSearch={(text) => state.set({ search: text })}
        />
        <DayField name={t.placedFrom} value={from} onChange={(date) => state.set({ from: date })} />
        <DayField name={t.placedTo} value={to} onChange={(date) => state.set({ to: date })} />
        <Filters state={state} />
        {may('orders:write') && (
          <CancelUnpaid
            query={{ ...query, status: 'on-hold' }}
            total={query.status === 'on-hold' ? (list.data?.meta.pagination?.total ?? 0) : 0}
          />
        )}
      </div>
      <RecordList
        list={list}
        state={state}
        empty={<NoOrders isFiltered={isFiltered} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/orders', query }}
      />
      {open && <OrderSheet id={open} rows={list.data?.data ?? []} hrefOf={hrefOf} state={state} />}
    </>
  );
}

function Filters({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { search, product_id, affiliate_id } = state.values;
  const nameOf = useCustomerNames(affiliate_id ? [Number(affiliate_id)] : []);
  const product = useProducts()?.find(({ id }) => id === Number(product_id));
  const chips = [
    search && { name: t.searched, value: search, field: 'search' },
    product_id && {
      name: t.columns.product,
      value: product?.title ?? `#${product_id}`,
      field: 'product_id',
    },
    affiliate_id && {
      name: t.sheet.affiliate,
      value: nameOf(Number(affiliate_id)),
      field: 'affiliate_id',
    },
  ].flatMap((chip) => chip || []);
  return (
    <FilterChips
      items={chips.map(({ name, value, field }) => ({
        ...{ name, value },
        onRemove: () => state.set({ [field]: '' }),
      }))}
    />
  );
}

function useColumns(): readonly Column<Order>[] {
  const t = useTexts(texts).columns;
  return [
    { id: 'number', name: t.number, cell: ({ number }) => number },
    { id: 'status', name: t.status, cell: ({ status }) => <OrderState status={status} /> },
    {
      id: 'buyer',
      name: t.buyer,
      cell: ({ user }) => (
        <>
          {user.display_name}
          <span className="faint small not-on-card">
            <br />
            {user.email}
          </span>
        </>
      ),
    },
    {
      id: 'product',
      name: t.product,
      wideOnly: true,
      cell: ({ product, quantity }) => (
        <>
          {product.title}
          {quantity > 1 && <span className="faint"> × {quantity}</span>}
        </>
      ),
    },
    {
      id: 'total',
      name: t.total,
      end: true,
      cell: ({ grand_total, currency }) => <Money amount={grand_total} currency={currency} />,
    },
    {
      id: 'placed',
      name: t.placed,
      end: true,
      cell: ({ created_at }) => <Time at={created_at} as="distance" />,
    },
  ];
}
