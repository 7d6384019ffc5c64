import { Link, useRoute } from 'wouter';
import { api } from '../../api/client.ts';
import type { Coupon } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { FilterChips, SearchField } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { OneCoupon, useCoupon } from './coupon.tsx';
import { NewCoupon } from './form.tsx';
import { texts } from './texts.ts';
import { CouponState, useDiscountWords } from './words.tsx';

export default function Coupons() {
  const t = useTexts(texts);
  const may = useMay();
  const state = useListState();
  const { copy } = state.values;
  const [isNew] = useRoute('/coupons/new');
  const open = useRecordId('/coupons/:id');
  if (isNew && may('coupons:write')) return copy ? <Copy id={Number(copy)} /> : <NewCoupon />;
  if (open) return <OneCoupon id={open} back={`/coupons${state.query()}`} />;
  const create = may('coupons:write') && (
    <Link className="button primary" href="/coupons/new">
      {t.new}
    </Link>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <Views state={state} />
      <CouponList state={state} />
    </Page>
  );
}

function Copy({ id }: { readonly id: number }) {
  const { data, error, refetch } = useCoupon(id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <NewCoupon source={data} /> : null;
}

type View = keyof (typeof texts)['en']['view'];

const viewQueries = {
  '': {},
  own: { templates: false },
  templates: { templates: true },
  approve: { status: 'need-approve' },
} as const;

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { view: current = '' } = state.values;
  const items = (Object.keys(viewQueries) as View[]).map((view) => ({
    href: `/coupons${state.query({ view, cursor: '', copies: '', code: '' })}`,
    name: t.view[view],
    current: view === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function CouponList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const { view = '', search = '', cursor, copies, code = '' } = state.values;
  const query = {
    ...viewQueries[view as View],
    search: search || undefined,
    coupon_parent_id: copies ? Number(copies) : undefined,
    cursor,
  };
  const list = useList('coupons', query, api.coupons.list);
  const chips = [
    ...(search ? [{ name: t.searched, value: search, fields: { search: '' } }] : []),
    ...(copies ? [{ name: t.copiesOf, value: code, fields: { copies: '', code: '' } }] : []),
  ];
  return (
    <>
      <div className="toolbar">
        <SearchField
          value={search}
          label={t.search}
          onSearch={(text) => state.set({ search: text })}
        />
        <FilterChips
          items={chips.map(({ name, value, fields }) => ({
            ...{ name, value },
            onRemove: () => state.set(fields),
          }))}
        />
      </div>
      <RecordList
        list={list}
        state={state}
        empty={<NoCoupons isFiltered={chips.length > 0 || view !== ''} />}
        label={t.title}
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/coupons/${id}${state.query()}`}
        source={{ path: '/coupons', query }}
      />
    </>
  );
}

function useColumns(): readonly Column<Coupon>[] {
  const t = useTexts(texts);
  const locale = useLocale();
  const wordsOf = useDiscountWords();
  return [
    {
      id: 'code',
      name: t.columns.code,
      cell: ({ code, coupon_parent_code }) => (
        <>
          {code}
          {coupon_parent_code && (
            <span className="faint small"> {t.copyOfCode(coupon_parent_code)}</span>
          )}
        </>
      ),
    },
    { id: 'state', name: t.columns.state, cell: (coupon) => <CouponState coupon={coupon} /> },
    { id: 'discount', name: t.columns.discount, cell: wordsOf },
    {
      id: 'use',
      name: t.columns.use,
      end: true,
      cell: ({ usage, limit_use }) => {
        const used = usage.toLocaleString(locale);
        return limit_use > 0 ? t.use.left(used, limit_use.toLocaleString(locale)) : used;
      },
    },
    {
      id: 'ends',
      name: t.columns.ends,
      end: true,
      wideOnly: true,
      cell: ({ limit_date }) =>
        limit_date ? <Time at={limit_date} /> : <span className="faint">{t.never}</span>,
    },
  ];
}

function NoCoupons({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing, new: create } = useTexts(texts);
  const may = useMay();
  if (isFiltered) {
    return (
      <EmptyState title={nothing.title} text={nothing.text}>
        <Link className="button plain" href="/coupons">
          {nothing.all}
        </Link>
      </EmptyState>
    );
  }
  const body = JSON.stringify({ code: 'WELCOME10', discount: { value: 10, type: 'percentage' } });
  return (
    <EmptyState
      title={empty.title}
      text={empty.text}
      call={{ method: 'POST', path: '/coupons', body }}
    >
      {may('coupons:write') && (
        <Link className="button primary" href="/coupons/new">
          {create}
        </Link>
      )}
    </EmptyState>
  );
}
