import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Commission, RiskKind } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { DayField, FilterChips } from '../../parts/filters.tsx';
import { Money } from '../../parts/money.tsx';
import { useCustomerNames, useOrderNumbers } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts as riskTexts } from '../affiliates/texts.ts';
import { texts } from './texts.ts';

export default function Commissions() {
  const t = useTexts(texts);
  const may = useMay();
  const state = useListState();
  const payouts = may('payouts:read') && (
    <Link className="button plain" href="/payouts">
      {t.payouts}
    </Link>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={payouts}>
      <Views state={state} />
      <CommissionList state={state} />
    </Page>
  );
}

const views = ['', 'pending', 'unpaid', 'paid', 'cancelled'] as const;

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { status: current = '' } = state.values;
  const items = views.map((status) => ({
    href: `/commissions${state.query({ status, cursor: '' })}`,
    name: t.view[status],
    current: status === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function CommissionList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { kinds } = useTexts(riskTexts);
  const riskKinds = Object.keys(kinds) as RiskKind[];
  const { status, affiliate, flag, from = '', to = '', cursor } = state.values;
  const flags = riskKinds.find((each) => each === flag);
  const query = {
    status: views.find((each) => each === status) || undefined,
    affiliate_id: affiliate ? Number(affiliate) : undefined,
    flags,
    date_start: from || undefined,
    date_end: to || undefined,
    cursor,
  };
  const list = useList('commissions', query, api.commissions.list);
  const rows = list.data?.data ?? [];
  const filtered = affiliate ? [Number(affiliate)] : [];
  const nameOf = useCustomerNames([...filtered, ...rows.map(({ affiliate_id }) => affiliate_id)]);
  const columns = useColumns(state, rows, nameOf);
  const unfilter = () => state.set({ affiliate: '' });
  return (
    <>
      <div className="toolbar">
        <Select
          label={t.flag}
          value={flags ?? ''}
          options={[['', t.anyFlag], ...riskKinds.map((each) => [each, kinds[each]] as const)]}
          onChange={(each) => state.set({ flag: each })}
        />
        <DayField name={t.madeFrom} value={from} onChange={(date) => state.set({ from: date })} />
        <DayField name={t.madeTo} value={to} onChange={(date) => state.set({ to: date })} />
      </div>
      {affiliate && (
        <FilterChips
          items={[{ name: t.affiliate, value: nameOf(Number(affiliate)), onRemove: unfilter }]}
        />
      )}
      <RecordList
        list={list}
        state={state}
        empty={<EmptyState title={t.empty.title} text={t.empty.text} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        source={{ path: '/commissions', query }}
      />
    </>
  );
}

const tones: Readonly<Record<Commission['state'], Tone>> = {
  pending: 'neutral',
  held: 'wait',
  payable: 'active',
  paid: 'good',
  cancelled: 'neutral',
};

function useColumns(
  state: ListState,
  rows: readonly Commission[],
  nameOf: (id: number) => string,
): readonly Column<Commission>[] {
  const t = useTexts(texts);
  const numberOf = useOrderNumbers(rows.map(({ order_id }) => order_id));
  return [
    {
      id: 'commission',
      name: t.columns.commission,
      cell: ({ id, kind, tier }) => (
        <>
          {t.row(id)}
          <span className="faint small">
            {' '}
            {kind === 'refund-adjustment' ? t.correction : t.tier(tier)}
          </span>
        </>
      ),
    },
    {
      id: 'state',
      name: t.columns.state,
      cell: ({ state: its, payout_line_id }) => (
        <>
          <Status tone={tones[its]}>{t.states[its]}</Status>
          {payout_line_id !== null && <span className="faint small"> {t.inDraft}</span>}
        </>
      ),
    },
    {
      id: 'affiliate',
      name: t.columns.affiliate,
      cell: ({ affiliate_id }) => (
        <Link href={`/commissions${state.query({ affiliate: `${affiliate_id}`, cursor: '' })}`}>
          {nameOf(affiliate_id)}
        </Link>
      ),
    },
    {
      id: 'order',
      name: t.columns.order,
      cell: ({ order_id }) => <Link href={`/orders/${order_id}`}>{numberOf(order_id)}</Link>,
    },
    {
      id: 'amount',
      name: t.columns.amount,
      end: true,
      cell: ({ commission, currency }) => <Money amount={commission} currency={currency} />,
    },
    {
      id: 'made',
      name: t.columns.made,
      end: true,
      wideOnly: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
}
