import { Link, useRoute } from 'wouter';
import { api } from '../../api/client.ts';
import type { Product } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { FilterChips, SearchField } from '../../parts/filters.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { NewProduct } from './form.tsx';
import { OneProduct, useProduct } from './product.tsx';
import { texts } from './texts.ts';

export default function Products() {
  const t = useTexts(texts);
  const may = useMay();
  const state = useListState();
  const { copy, ...filters } = state.values;
  const [isNew] = useRoute('/products/new');
  const open = useRecordId('/products/:id');
  if (isNew && may('products:write')) return copy ? <Copy id={Number(copy)} /> : <NewProduct />;
  if (open) return <OneProduct id={open} back={`/products${state.query()}`} />;
  const create = may('products:write') && (
    <Link className="button primary" href="/products/new">
      {t.new}
    </Link>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <Views state={state} />
      <ProductList state={state} isFiltered={Object.keys(filters).length > 0} />
    </Page>
  );
}

function Copy({ id }: { readonly id: number }) {
  const { data, error, refetch } = useProduct(id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <NewProduct source={data} /> : null;
}

type ProductStatus = Product['status'];
const tones: Readonly<Record<ProductStatus, Tone>> = {
  publish: 'good',
  draft: 'wait',
  private: 'neutral',
};
const statuses = Object.keys(tones) as ProductStatus[];

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const { status: current = '' } = state.values;
  const items = (['', ...statuses] as const).map((status) => ({
    href: `/products${state.query({ status, cursor: '' })}`,
    name: status === '' ? all : t.statuses[status],
    current: status === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

type Kind = keyof (typeof texts)['en']['kinds'];
const kindQueries: Readonly<Record<Kind, object>> = {
  '': {},
  digital: { type: 'digital' },
  physical: { type: 'physical' },
  recurring: { payment_type: 'recurring' },
};

interface ProductListProps {
  readonly state: ListState;
  readonly isFiltered: boolean;
}

function ProductList({ state, isFiltered }: ProductListProps) {
  const t = useTexts(texts);
  const columns = useColumns();
  const { status, search = '', cursor, kind = '' } = state.values;
  const query = {
    status: statuses.find((each) => each === status),
    search: search || undefined,
    ...kindQueries[kind as Kind],
    cursor,
  };
  const list = useList('products', query, api.products.list);
  return (
    <>
      <div className="toolbar">
        <SearchField
          value={search}
          label={t.search}
          onSearch={(text) => state.set({ search: text })}
        />
        <div className="filter">
          <Select
            label={t.kind}
            value={kind as Kind}
            options={Object.entries(t.kinds) as [Kind, string][]}
            onChange={(value) => state.set({ kind: value })}
          />
        </div>
        <FilterChips
          items={
            search
              ? [{ name: t.searched, value: search, onRemove: () => state.set({ search: '' }) }]
              : []
          }
        />
      </div>
      <RecordList
        list={list}
        state={state}
        empty={<NoProducts isFiltered={isFiltered} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/products/${id}${state.query()}`}
        source={{ path: '/products', query }}
      />
    </>
  );
}

function useColumns(): readonly Column<Product>[] {
  const t = useTexts(texts);
  return [
    { id: 'title', name: t.columns.title, cell: ({ title }) => title },
    {
      id: 'status',
      name: t.columns.status,
      cell: ({ status }) => <Status tone={tones[status]}>{t.statuses[status]}</Status>,
    },
    {
      id: 'kind',
      name: t.columns.kind,
      wideOnly: true,
      cell: ({ type, payment_type }) =>
        payment_type === 'recurring' ? t.kinds.recurring : t.types[type],
    },
    {
      id: 'stock',
      name: t.columns.stock,
      end: true,
      wideOnly: true,
      cell: ({ stock, enable_sale }) => {
        if (!enable_sale) return t.closed;
        if (stock === null) return <span className="faint">{t.uncounted}</span>;
        return stock === 0 ? t.soldOut : stock;
      },
    },
    {
      id: 'price',
      name: t.columns.price,
      end: true,
      cell: ({ price, subscription, currency }) => (
        <Money
          amount={(subscription.active && subscription.regular.price) || price}
          {...(currency !== null && { currency })}
        />
      ),
    },
  ];
}

function NoProducts({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing, new: create } = useTexts(texts);
  const may = useMay();
  if (isFiltered) {
    return (
      <EmptyState title={nothing.title} text={nothing.text}>
        <Link className="button plain" href="/products">
          {nothing.all}
        </Link>
      </EmptyState>
    );
  }
  const body = JSON.stringify({ title: 'Sourdough for beginners', price: 149_000 });
  return (
    <EmptyState
      title={empty.title}
      text={empty.text}
      call={{ method: 'POST', path: '/products', body }}
    >
      {may('products:write') && (
        <Link className="button primary" href="/products/new">
          {create}
        </Link>
      )}
    </EmptyState>
  );
}
