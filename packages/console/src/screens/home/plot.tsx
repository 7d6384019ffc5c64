import { type ComponentProps, useState } from 'react';
import type { OverviewDay } from '../../api/generated.ts';
import { useStore } from '../../context/session.ts';
import { shortMoney } from '../../lib/money.ts';
import { shortDay } from '../../lib/time.ts';
import { Bars } from '../../parts/charts.tsx';
import { useMoney } from '../../parts/money.tsx';
import { Select } from '../../parts/select.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Shown = 'revenue' | 'orders';

export function Plot({ days }: { readonly days: readonly OverviewDay[] }) {
  const t = useTexts(texts);
  const [shown, setShown] = useState<Shown>('revenue');
  const [revenue, orders] = [useRevenue(days), useOrders(days)];
  const { label } = shown === 'revenue' ? revenue : orders;
  return (
    <section className="card plot" aria-label={label}>
      <div className="section-head">
        <h2>{label}</h2>
        <Select
          label={t.show}
          value={shown}
          options={[
            ['revenue', t.revenue],
            ['orders', t.orderCount],
          ]}
          onChange={setShown}
        />
      </div>
      <Bars {...(shown === 'revenue' ? revenue : orders)} />
    </section>
  );
}

type Drawn = ComponentProps<typeof Bars>;

function useRevenue(days: readonly OverviewDay[]): Drawn {
  const t = useTexts(texts);
  const { chart } = useTexts(common);
  const money = useMoney();
  const store = useStore();
  const locale = useLocale();
  return {
    label: t.days,
    names: days.map(({ date }) => shortDay(date, locale)),
    namesAre: chart.day,
    series: [{ name: t.revenue, tone: 'one', values: days.map(({ revenue }) => revenue) }],
    format: (value) => money(value),
    short: (value) => shortMoney(value, store, locale),
  };
}

function useOrders(days: readonly OverviewDay[]): Drawn {
  const t = useTexts(texts);
  const { chart } = useTexts(common);
  const locale = useLocale();
  return {
    label: t.orderDays,
    names: days.map(({ date }) => shortDay(date, locale)),
    namesAre: chart.day,
    series: [
      { name: t.sold, tone: 'one', values: days.map(({ sales }) => sales) },
      { name: t.open, tone: 'wait', values: days.map(({ lead, sales }) => lead - sales) },
    ],
    format: (value) => value.toLocaleString(locale),
  };
}
