import { Link } from 'wouter';
import type { Overview } from '../../api/generated.ts';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function Tops({ overview }: { readonly overview: Overview }) {
  const t = useTexts(texts);
  const products = overview.top_products.map(({ product_id, title, revenue }) => ({
    href: `/orders?product_id=${product_id}`,
    name: title,
    revenue,
  }));
  const affiliates = overview.top_affiliates?.map(({ id, name, raw_total }) => ({
    href: `/orders?affiliate_id=${id}`,
    name,
    revenue: raw_total,
  }));
  return (
    <div className="tops">
      <Top title={t.products} rows={products} />
      <Top title={t.affiliates} rows={affiliates ?? []} />
    </div>
  );
}

interface Row {
  /** The orders that the revenue came from. */
  readonly href: string;
  readonly name: string;
  readonly revenue: number;
}

interface TopProps {
  readonly title: string;
  readonly rows: readonly Row[];
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
          {rows.slice(0, 5).map(({ href, name, revenue }) => (
            <tr key={href}>
              <td>
                <Link href={href}>{name}</Link>
              </td>
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
