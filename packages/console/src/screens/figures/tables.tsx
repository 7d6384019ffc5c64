import { Link } from 'wouter';
import type { Period } from '../../lib/periods.ts';
import { shortDay } from '../../lib/time.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { useMoney } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import type { Ranked, Totals } from './reading.ts';
import { texts } from './texts.ts';

/** The difference between two figures. */
function useChange(): (now: number, before: number) => string {
  const t = useTexts(texts);
  const locale = useLocale();
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  });
  return (now, before) =>
    before === 0 ? (now === 0 ? '' : t.new) : percent.format(now / before - 1);
}

interface TotalsProps {
  readonly periods: readonly [Period, Period];
  readonly totals: readonly [Totals, Totals];
}

export const amounts: ReadonlySet<keyof Totals> = new Set(['gross', 'refunded', 'net']);

export const totalKeys = Object.keys(texts.en.totals) as (keyof Totals)[];

export function TotalsTable({ periods, totals: [now, before] }: TotalsProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const money = useMoney();
  const changeOf = useChange();
  const [thisPeriod = '', other = ''] = periods.map(
    ({ from, to }) => `${shortDay(from, locale)} – ${shortDay(to, locale)} ${to.slice(0, 4)}`,
  );
  const say = (key: keyof Totals, value: number) =>
    amounts.has(key) ? money(value) : value.toLocaleString(locale);
  const columns: readonly Column<keyof Totals>[] = [
    { id: 'what', name: t.what, cell: (key) => t.totals[key] },
    { id: 'now', name: thisPeriod, end: true, cell: (key) => say(key, now[key]) },
    { id: 'other', name: other, end: true, cell: (key) => say(key, before[key]) },
    { id: 'change', name: t.change, end: true, cell: (key) => changeOf(now[key], before[key]) },
  ];
  return (
    <Section title={t.all}>
      <DataTable label={t.all} columns={columns} rows={totalKeys} idOf={(key) => key} />
    </Section>
  );
}

interface RankedProps {
  readonly title: string;
  readonly rows: readonly Ranked[];
  /** The address of the figures for one product or affiliate. */
  readonly narrow: (id: number) => string;
}

export function RankedTable({ title, rows, narrow }: RankedProps) {
  const t = useTexts(texts);
  const money = useMoney();
  const changeOf = useChange();
  const columns: readonly Column<Ranked>[] = [
    { id: 'name', name: t.what, cell: ({ id, name }) => <Link href={narrow(id)}>{name}</Link> },
    { id: 'now', name: t.now, end: true, cell: ({ now }) => money(now) },
    { id: 'other', name: t.other, end: true, cell: ({ before }) => money(before) },
    { id: 'change', name: t.change, end: true, cell: ({ now, before }) => changeOf(now, before) },
  ];
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p className="faint">{t.none}</p>
      ) : (
        <DataTable label={title} columns={columns} rows={rows} idOf={({ id }) => id} />
      )}
    </Section>
  );
}
