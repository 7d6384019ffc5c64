import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { StoreSubscription, SubscriptionStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay, useStore } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import { instantIn } from '../../lib/local-time.ts';
import { dateIn } from '../../lib/time.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { DayField, FilterChips } from '../../parts/filters.tsx';
import { Money } from '../../parts/money.tsx';
import { useCustomerNames } from '../../parts/names.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { SubscriptionState, subscriptionStatuses } from '../../parts/subscription-status.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { SubscriptionSheet } from './sheet.tsx';
import { End, usePaid } from './state.tsx';
import { texts } from './texts.ts';

export default function Subscriptions() {
  const t = useTexts(texts);
  const state = useListState();
  return (
    <Page title={t.title} lead={t.lead}>
      <Views state={state} />
      <SubscriptionList state={state} />
      <Reasons />
    </Page>
  );
}

interface Of {
  readonly state: ListState;
}

const statuses = Object.keys(subscriptionStatuses.en) as SubscriptionStatus[];

function Views({ state }: Of) {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const names = useTexts(subscriptionStatuses);
  const { status = '' } = state.values;
  const items = (['', 'soon', ...statuses] as const).map((view) => ({
    href: `/subscriptions${state.query({ status: view, cursor: '', from: '', until: '' })}`,
    name: view === '' ? all : view === 'soon' ? t.soon : names[view],
    current: view === status,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

const day = 86_400_000;

function useFilters({ values }: ListState) {
  const { timezone } = useStore();
  const { status, product_id, user_id, from, until, cursor } = values;
  const today = dateIn(timezone, new Date());
  const dayAfter = (date: string, days: number) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
  const beginOf = (date: string) => instantIn(timezone, `${date}T00:00`);
  const isSoon = status === 'soon';
  const [first, last] = isSoon ? [today, dayAfter(today, 6)] : [from, until];
  return {
    status: isSoon ? ('active' as const) : statuses.find((each) => each === status),
    product_id: product_id ? Number(product_id) : undefined,
    user_id: user_id ? Number(user_id) : undefined,
    ends_after: first ? beginOf(first) : undefined,
    ends_before: last ? beginOf(dayAfter(last, 1)) : undefined,
    cursor,
  };
}

function SubscriptionList({ state }: Of) {
  const t = useTexts(texts);
  const columns = useColumns();
  const open = useRecordId('/subscriptions/:id');
  const query = useFilters(state);
  const list = useList('subscriptions', query, api.subscriptions.list);
  const hrefOf = ({ id }: StoreSubscription) => `/subscriptions/${id}${state.query()}`;
  const { cursor: _, ...filters } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <Filters state={state} />
      <RecordList
        list={list}
        state={state}
        empty={<NoSubscriptions isFiltered={isFiltered} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/subscriptions', query }}
      />
      {open && (
        <SubscriptionSheet
          key={open}
          id={open}
          rows={list.data?.data ?? []}
          hrefOf={hrefOf}
          state={state}
        />
      )}
    </>
  );
}

function Filters({ state }: Of) {
  const t = useTexts(texts);
  const may = useMay();
  const { status, product_id = '', user_id, from = '', until = '' } = state.values;
  const nameOf = useCustomerNames(user_id ? [Number(user_id)] : []);
  const { data: products = [] } = useQuery({
    queryKey: ['products', 'list', 'recurring'],
    queryFn: async ({ signal }) =>
      (await api.products.list({ per_page: 100 }, { signal })).data.filter(
        ({ payment_type }) => payment_type === 'recurring',
      ),
    enabled: may('products:read'),
  });
  return (
    <div className="toolbar">
      {products.length > 0 && (
        <Select
          label={t.filters.product}
          value={product_id}
          options={[
            ['', t.allProducts],
            ...products.map(({ id, title }) => [String(id), title] as const),
          ]}
          onChange={(id) => state.set({ product_id: id })}
        />
      )}
      {status !== 'soon' && (
        <>
          <DayField
            name={t.filters.from}
            value={from}
            onChange={(date) => state.set({ from: date })}
          />
          <DayField
            name={t.filters.until}
            value={until}
            onChange={(date) => state.set({ until: date })}
          />
        </>
      )}
      {user_id && (
        <FilterChips
          items={[
            {
              name: t.filters.user,
              value: nameOf(Number(user_id)),
              onRemove: () => state.set({ user_id: '' }),
            },
          ]}
        />
      )}
    </div>
  );
}

function useColumns(): readonly Column<StoreSubscription>[] {
  const t = useTexts(texts).columns;
  const paidOf = usePaid();
  return [
    { id: 'user', name: t.user, cell: ({ user }) => user.display_name },
    {
      id: 'status',
      name: t.status,
      cell: ({ status }) => <SubscriptionState status={status} />,
    },
    { id: 'product', name: t.product, cell: ({ product_name }) => product_name },
    { id: 'plan', name: t.plan, wideOnly: true, cell: paidOf },
    {
      id: 'price',
      name: t.price,
      end: true,
      wideOnly: true,
      cell: ({ renewable, renew_price }) => renewable && <Money amount={renew_price} />,
    },
    {
      id: 'ends',
      name: t.ends,
      end: true,
      cell: (subscription) => <End subscription={subscription} as="distance" />,
    },
  ];
}

/** Counts the recent reasons for cancellations, the most frequent first. */
function Reasons() {
  const t = useTexts(texts);
  const locale = useLocale();
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['overview'],
    queryFn: async ({ signal }) => (await api.overview.get({ signal })).data,
    enabled: may('orders:read'),
  });
  const reasons = data?.cancel_reasons ?? [];
  if (reasons.length === 0) return null;
  return (
    <Section title={t.reasons}>
      <ul className="entries">
        {reasons.map(({ reason, subscriptions }) => (
          <li key={reason}>
            <span className="entry-what">{reason}</span>
            {subscriptions.toLocaleString(locale)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NoSubscriptions({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing } = useTexts(texts);
  const { title, text } = isFiltered ? nothing : empty;
  return (
    <EmptyState title={title} text={text}>
      <Link className="button plain" href={isFiltered ? '/subscriptions' : '/products'}>
        {isFiltered ? nothing.all : empty.products}
      </Link>
    </EmptyState>
  );
}
