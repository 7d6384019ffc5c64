import { type ListState, useListState } from '../../lib/address.ts';
import { type Period, besides, namedPeriods } from '../../lib/periods.ts';
import { dateIn } from '../../lib/time.ts';
import { useStore } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { saveText } from '../../parts/table-tools.tsx';
import { csvOf } from '../../lib/csv.ts';
import { useTexts } from '../../texts/texts.ts';
import { Narrow } from './narrow.tsx';
import { useAffiliatesSold, useProductsSold, useTotals } from './reading.ts';
import { RankedTable, TotalsTable, amounts, totalKeys } from './tables.tsx';
import { texts } from './texts.ts';

type Name = keyof (typeof texts)['en']['period'];

export default function Figures() {
  const t = useTexts(texts);
  const state = useListState();
  const { timezone, currency_exponent } = useStore();
  const named = namedPeriods(dateIn(timezone, new Date()));
  const { period: name = 'month', from, to, vs, product_id, affiliate_id, coupon } = state.values;
  const chosen: Period =
    from && to && from <= to ? { from, to } : (named[name as Name] ?? named.month);
  const periods = [chosen, besides(chosen, vs === 'year' ? 'year' : 'before')] as const;
  const narrowing = {
    product_id: product_id ? Number(product_id) : undefined,
    affiliate_id: affiliate_id ? Number(affiliate_id) : undefined,
    search: coupon || undefined,
  };
  const { totals, error } = useTotals(periods, narrowing);
  const products = useProductsSold(periods, narrowing);
  const affiliates = useAffiliatesSold(periods, narrowing);
  const unit = 10 ** (currency_exponent ?? 0);
  const onFile = () => {
    const header = [t.what, ...periods.map(({ from, to }) => `${from} – ${to}`)];
    const sums = totalKeys.map((key) => {
      const by = amounts.has(key) ? unit : 1;
      return [t.totals[key], ...(totals ?? []).map((each) => each[key] / by)];
    });
    const ranked = [...(products ?? []), ...(affiliates ?? [])].map(({ name, now, before }) => [
      name,
      now / unit,
      before / unit,
    ]);
    saveText(t.fileName, csvOf([header, ...sums, ...ranked]));
  };
  const file = (
    <Button disabled={!totals} onClick={onFile}>
      {t.file}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={file}>
      <Periods state={state} current={from && to ? undefined : name} />
      <Narrow state={state} chosen={chosen} />
      {error && <ErrorView error={error} />}
      {totals && <TotalsTable periods={periods} totals={totals} />}
      {products && (
        <RankedTable
          title={t.products}
          rows={products}
          narrow={(id) => `/figures${state.query({ product_id: String(id) })}`}
        />
      )}
      {affiliates && (
        <RankedTable
          title={t.affiliates}
          rows={affiliates}
          narrow={(id) => `/figures${state.query({ affiliate_id: String(id) })}`}
        />
      )}
    </Page>
  );
}

interface PeriodsProps {
  readonly state: ListState;
  readonly current: string | undefined;
}

function Periods({ state, current }: PeriodsProps) {
  const t = useTexts(texts);
  const items = (Object.keys(t.period) as Name[]).map((name) => ({
    href: `/figures${state.query({ period: name, from: '', to: '' })}`,
    name: t.period[name],
    current: name === current,
  }));
  return <LinkTabs label={t.periods} items={items} />;
}
