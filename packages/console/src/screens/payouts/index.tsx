import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { PayoutRun } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { NewRun } from './new-run.tsx';
import { OneRun } from './run.tsx';
import { RunState } from './states.tsx';
import { texts } from './texts.ts';

export default function Payouts() {
  const t = useTexts(texts);
  const may = useMay();
  const state = useListState();
  const [isDrafting, setDrafting] = useState(false);
  const open = useRecordId('/payouts/:id');
  if (open) return <OneRun id={open} back={`/payouts${state.query()}`} />;
  const mayDraft = may('payouts:write') || may('commissions:write');
  const create = mayDraft && (
    <Button look="primary" onClick={() => setDrafting(true)}>
      {t.new}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <Views state={state} />
      <RunList state={state} />
      {isDrafting && <NewRun onClose={() => setDrafting(false)} />}
    </Page>
  );
}

const views = ['', 'draft', 'confirmed', 'discarded'] as const;

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { status: current = '' } = state.values;
  const items = views.map((status) => ({
    href: `/payouts${state.query({ status, cursor: '' })}`,
    name: t.view[status],
    current: status === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function RunList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const { status, cursor } = state.values;
  const query = { status: views.find((each) => each === status) || undefined, cursor };
  const list = useList('payoutRuns', query, api.payoutRuns.list);
  return (
    <RecordList
      list={list}
      state={state}
      empty={
        <EmptyState
          title={t.empty.title}
          text={t.empty.text}
          call={{ method: 'POST', path: '/payout-runs', body: '{}' }}
        />
      }
      label={t.title}
      dense
      columns={columns}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/payouts/${id}${state.query()}`}
      source={{ path: '/payout-runs', query }}
    />
  );
}

function useColumns(): readonly Column<PayoutRun>[] {
  const t = useTexts(texts);
  return [
    { id: 'run', name: t.columns.run, cell: ({ id }) => t.run(id) },
    { id: 'status', name: t.columns.status, cell: ({ status }) => <RunState status={status} /> },
    { id: 'lines', name: t.columns.lines, end: true, cell: ({ totals }) => totals.payable },
    {
      id: 'amount',
      name: t.columns.amount,
      end: true,
      cell: ({ totals, currency }) => <Money amount={totals.amount} currency={currency} />,
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
