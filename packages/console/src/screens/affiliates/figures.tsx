import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { AffiliateFigure, AffiliateLink, FigureKey } from '../../api/generated.ts';
import { useListState } from '../../lib/address.ts';
import { shortDay } from '../../lib/time.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { useMoney } from '../../parts/money.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { DayFields, useDays } from './board.tsx';
import { texts } from './figure-texts.ts';

interface FiguresProps {
  readonly id: number;
}

export function AffiliateFigures({ id }: FiguresProps) {
  const t = useTexts(texts);
  const state = useListState();
  const { from, to } = useDays();
  const by = keys.find((key) => key === state.values['by']) ?? 'day';
  const affiliate = useQuery({
    queryKey: ['affiliates', id],
    queryFn: async ({ signal }) =>
      (await api.affiliates.lookup({ id }, { signal })).data.display_name,
  });
  const query = { by, date_start: from, date_end: to };
  const { data, error, refetch } = useQuery({
    queryKey: ['affiliates', id, 'figures', query],
    queryFn: async ({ signal }) => (await api.affiliates.figures(id, query, { signal })).data,
  });
  const items = keys.map((key) => ({
    href: `/affiliates/figures/${id}${state.query({ by: key })}`,
    name: t.by[key],
    current: key === by,
  }));
  return (
    <Page
      title={affiliate.data ?? t.affiliate}
      lead={<Link href={`/affiliates/figures${state.query({ by: '' })}`}>{t.back}</Link>}
    >
      <div className="toolbar">
        <DayFields />
      </div>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data && <Totals {...data.totals} />}
      <LinkTabs label={t.views} items={items} />
      {data && <Rows by={by} rows={data.rows} />}
      <Links id={id} />
    </Page>
  );
}

const keys: readonly FigureKey[] = ['day', 'product', 'target', 'sub'];

type Sums = Pick<AffiliateFigure, 'clicks' | 'orders' | 'paid' | 'revenue' | 'commission'>;

function Totals({ clicks, orders, paid, revenue, commission }: Sums) {
  const { columns } = useTexts(texts);
  const money = useMoney();
  const locale = useLocale();
  return (
    <Facts
      items={[
        [columns.clicks, clicks.toLocaleString(locale)],
        [columns.orders, orders.toLocaleString(locale)],
        [columns.paid, paid.toLocaleString(locale)],
        [columns.revenue, money(revenue)],
        [columns.commission, money(commission)],
      ]}
    />
  );
}

function useSums(): readonly Column<Sums>[] {
  const { columns } = useTexts(texts);
  const money = useMoney();
  const locale = useLocale();
  const count = (name: 'clicks' | 'orders' | 'paid'): Column<Sums> => ({
    ...{ id: name, name: columns[name], end: true },
    cell: ({ [name]: value }) => value.toLocaleString(locale),
  });
  const amount = (name: 'revenue' | 'commission'): Column<Sums> => ({
    ...{ id: name, name: columns[name], end: true },
    cell: ({ [name]: value }) => money(value),
  });
  return [count('clicks'), count('orders'), count('paid'), amount('revenue'), amount('commission')];
}

interface RowsProps {
  readonly by: FigureKey;
  readonly rows: readonly AffiliateFigure[];
}

function Rows({ by, rows }: RowsProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const sums = useSums();
  const nameOf = ({ day, title, target, sub }: AffiliateFigure) =>
    ({
      day: day && shortDay(day, locale),
      product: title,
      target: target ?? t.noLink,
      sub: sub ?? t.noSub,
    })[by];
  if (rows.length === 0) return <p className="faint">{t.nothing}</p>;
  return (
    <DataTable<AffiliateFigure>
      label={t.by[by]}
      columns={[{ id: 'key', name: t.by[by], cell: nameOf }, ...sums]}
      rows={by === 'day' ? rows.toReversed() : rows}
      idOf={(row) => row.day ?? row.product_id ?? row.target ?? row.sub ?? ''}
    />
  );
}

function Links({ id }: FiguresProps) {
  const t = useTexts(texts);
  const sums = useSums();
  const { data } = useQuery({
    queryKey: ['affiliates', id, 'links'],
    queryFn: async ({ signal }) => (await api.affiliates.links(id, {}, { signal })).data,
  });
  if (!data || data.length === 0) return null;
  const columns: readonly Column<AffiliateLink>[] = [
    {
      id: 'link',
      name: t.link,
      cell: ({ label, affiliate_link }) => (
        <>
          {label} <CopyButton text={affiliate_link} label={`${t.link}: ${label}`} />
        </>
      ),
    },
    ...sums,
  ];
  return (
    <Section title={t.links}>
      <DataTable
        label={t.links}
        columns={columns}
        rows={data}
        idOf={({ affiliate_link }) => affiliate_link}
      />
    </Section>
  );
}
