import type { Overview } from '../../api/generated.ts';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** What sold best lately, and who sold it. */
export function Tops({ overview }: { readonly overview: Overview }) {
  const t = useTexts(texts);
  const products = overview.top_products.map(({ title, revenue }) => [title, revenue] as const);
  const affiliates = overview.top_affiliates?.map(
    ({ name, raw_total }) => [name, raw_total] as const,
  );
  return (
    <div className="tops">
      <Top title={t.products} rows={products} />
      <Top title={t.affiliates} rows={affiliates ?? []} />
    </div>
  );
}

interface TopProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, revenue: number])[];
}

function Top({ title, rows }: TopProps) {
  const t = useTexts(texts);
  if (rows.length === 0) return null;
  return (
    <Section title={title} actions={<span className="faint small">{t.last30}</span>}>
      <table className="card plain-table top" aria-label={title}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.revenue}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 5).map(([name, revenue]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="end">
                <Money amount={revenue} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
