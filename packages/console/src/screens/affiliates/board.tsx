import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Place } from '../../api/generated.ts';
import { useStore } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import { type Period, namedPeriods } from '../../lib/periods.ts';
import { dateIn } from '../../lib/time.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { useMoney } from '../../parts/money.tsx';
import { DayField } from '../../parts/filters.tsx';
import { Select } from '../../parts/select.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './figure-texts.ts';

type Measure = keyof (typeof texts)['en']['measures'];

/** The chosen days of the address; the last 30 without a choice. */
export function useDays(): Period {
  const { timezone } = useStore();
  const { days } = namedPeriods(dateIn(timezone, new Date()));
  const { from = days.from, to = days.to } = useListState().values;
  return { from, to };
}

export function DayFields() {
  const t = useTexts(texts);
  const state = useListState();
  const { from, to } = useDays();
  return (
    <>
      <DayField name={t.from} value={from} onChange={(date) => state.set({ from: date, to })} />
      <DayField name={t.to} value={to} onChange={(date) => state.set({ from, to: date })} />
    </>
  );
}

/** The best affiliates of a period, by a chosen measure. */
export function Board() {
  const t = useTexts(texts);
  const state = useListState();
  const columns = useColumns();
  const { from, to } = useDays();
  const { by = 'revenue' } = state.values;
  const query = { calculate: by as Measure, date_start: from, date_end: to, limit: 100 };
  const { data, error, refetch } = useQuery({
    queryKey: ['affiliates', 'leaderboard', query],
    queryFn: async ({ signal }) => (await api.affiliates.leaderboard(query, { signal })).data,
  });
  return (
    <>
      <div className="toolbar">
        <DayFields />
        <Select
          label={t.measure}
          value={by}
          options={Object.entries(t.measures)}
          onChange={(value) => state.set({ by: value })}
        />
      </div>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className="faint">{t.nobody}</p>}
      {data && data.length > 0 && (
        <DataTable
          label={t.board}
          columns={columns(by as Measure)}
          rows={data}
          idOf={({ id }) => id}
          hrefOf={({ id }) => `/affiliates/figures/${id}${state.query({ by: '' })}`}
        />
      )}
    </>
  );
}

/** Measures that each ranking shows in a column of their own. */
const always: readonly Measure[] = ['clicks', 'conversion'];

function useColumns(): (measure: Measure) => readonly Column<Place>[] {
  const t = useTexts(texts);
  const money = useMoney();
  const locale = useLocale();
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return (measure) => [
    { id: 'name', name: t.affiliate, cell: ({ name }) => name },
    { id: 'rank', name: t.rank, end: true, cell: ({ rank }) => rank },
    ...(always.includes(measure)
      ? []
      : [
          {
            id: 'total',
            name: t.measures[measure],
            end: true,
            cell: ({ raw_total: total }: Place) =>
              measure === 'revenue' ? money(total) : total.toLocaleString(locale),
          },
        ]),
    {
      id: 'clicks',
      name: t.columns.clicks,
      end: true,
      cell: ({ clicks }) => clicks.toLocaleString(locale),
    },
    {
      id: 'conversion',
      name: t.measures.conversion,
      end: true,
      cell: ({ conversion }) => (conversion === null ? '–' : percent.format(conversion / 100)),
    },
  ];
}
