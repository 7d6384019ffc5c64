import { useRoute } from 'wouter';
import { api } from '../../api/client.ts';
import type { Risk, RiskStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useMoney } from '../../parts/money.tsx';
import { useCustomerNames } from '../../parts/names.tsx';
import { OnlyFor } from '../../parts/only-for.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { Board } from './board.tsx';
import { AffiliateFigures } from './figures.tsx';
import { RiskSheet } from './sheet.tsx';
import { RiskState } from './state.tsx';
import { texts } from './texts.ts';

export default function Affiliates() {
  const t = useTexts(texts);
  const state = useListState();
  const one = useRecordId('/affiliates/figures/:id');
  const [isBoard] = useRoute('/affiliates/figures');
  if (one !== undefined) {
    return (
      <OnlyFor needs="affiliates:read">
        <AffiliateFigures id={one} />
      </OnlyFor>
    );
  }
  const parts = [
    { href: '/affiliates', name: t.parts.risks, current: !isBoard },
    { href: '/affiliates/figures', name: t.parts.figures, current: isBoard },
  ];
  return (
    <Page title={t.title} lead={isBoard ? t.figures : t.lead}>
      <LinkTabs label={t.title} items={parts} />
      {isBoard ? (
        <OnlyFor needs="affiliates:read">
          <Board />
        </OnlyFor>
      ) : (
        <>
          <Views state={state} />
          <RiskList state={state} />
        </>
      )}
    </Page>
  );
}

const statuses: readonly RiskStatus[] = ['open', 'cleared', 'confirmed', 'void'];

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const { status: current = '' } = state.values;
  const items = (['', ...statuses] as const).map((status) => ({
    href: `/affiliates${state.query({ status, cursor: '' })}`,
    name: status === '' ? all : t.statuses[status],
    current: status === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function RiskList({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const open = useRecordId('/affiliates/:id');
  const { status, cursor } = state.values;
  const query = { status: statuses.find((each) => each === status), cursor };
  const list = useList('risks', query, api.risks.list);
  const columns = useColumns(list.data?.data ?? []);
  const hrefOf = ({ id }: Risk) => `/affiliates/${id}${state.query()}`;
  return (
    <>
      <RecordList
        list={list}
        state={state}
        empty={<EmptyState title={t.empty.title} text={t.empty.text} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/risks', query }}
      />
      {open && <RiskSheet id={open} list={list} hrefOf={hrefOf} state={state} />}
    </>
  );
}

function useColumns(rows: readonly Risk[]): readonly Column<Risk>[] {
  const t = useTexts(texts);
  const money = useMoney();
  const nameOf = useCustomerNames(
    rows
      .filter(({ evidence }) => evidence === null)
      .flatMap(({ affiliate_id, other_id }) => [affiliate_id, other_id]),
  );
  return [
    { id: 'kind', name: t.columns.kind, cell: ({ kind }) => t.kinds[kind] },
    {
      id: 'people',
      name: t.columns.people,
      cell: ({ evidence, affiliate_id, other_id }) =>
        evidence
          ? `${evidence.affiliate.display_name} · ${evidence.other.display_name}`
          : `${nameOf(affiliate_id)} · ${nameOf(other_id)}`,
    },
    { id: 'status', name: t.columns.status, cell: (risk) => <RiskState risk={risk} /> },
    {
      id: 'commission',
      name: t.columns.commission,
      end: true,
      cell: ({ evidence }) => evidence && money(evidence.commission),
    },
    {
      id: 'found',
      name: t.columns.found,
      end: true,
      wideOnly: true,
      cell: ({ created_at }) => <Time at={created_at} as="distance" />,
    },
  ];
}
