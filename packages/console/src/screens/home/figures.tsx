import type { ComparedFigures, Overview, OverviewFigures } from '../../api/generated.ts';
import { Money } from '../../parts/money.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Period = keyof (typeof texts)['en']['periods'];
type Compared = keyof (typeof texts)['en']['than'];

export function Figures({ overview }: { readonly overview: Overview }) {
  const { today, yesterday, this_month, all } = overview;
  return (
    <dl className="figures">
      <Figure period="today" figures={today} />
      <Figure period="yesterday" figures={yesterday} compared={yesterday} />
      <Figure period="this_month" figures={this_month} compared={this_month} />
      <Figure period="all" figures={all} />
    </dl>
  );
}

interface FigureProps {
  readonly period: Period;
  readonly figures: OverviewFigures;
  readonly compared?: ComparedFigures;
}

function Figure({ period, figures, compared }: FigureProps) {
  const t = useTexts(texts);
  return (
    <div className="card figure">
      <dt>{t.periods[period]}</dt>
      <dd>
        <span className="figure-sum">
          <Money amount={figures.revenue} />
        </span>
        <span className="faint small">{t.orders(figures.sales, figures.lead)}</span>
        {compared && <Change period={period as Compared} figures={compared} />}
      </dd>
    </div>
  );
}

/** The difference from the period before. */
function Change({
  period,
  figures,
}: {
  readonly period: Compared;
  readonly figures: ComparedFigures;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { revenue, before } = figures;
  if (before.revenue <= 0) return <span className="faint small">{t.firstTime}</span>;
  if (revenue === before.revenue) return <span className="faint small">{t.same}</span>;
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'always',
    maximumFractionDigits: 0,
  }).format(revenue / before.revenue - 1);
  return (
    <span className={`small ${revenue > before.revenue ? 'more' : 'less'}`}>
      {t.change(percent, t.than[period])}
    </span>
  );
}
