import { Link } from 'wouter';
import type { Overview } from '../../api/generated.ts';
import { type Permission, useMay } from '../../context/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Need = Overview['missing'][number];

/** The screens that set a missing part, and the permission for each. */
const places: Readonly<Record<Need, readonly [needs: Permission, place: string]>> = {
  currency: ['administrator', '/settings'],
  payment: ['administrator', '/settings/payments'],
  sender: ['administrator', '/settings/messages'],
  product: ['products:write', '/products/new'],
};

export function Missing({ needs }: { readonly needs: readonly Need[] }) {
  const t = useTexts(texts).missing;
  const may = useMay();
  if (needs.length === 0) return null;
  return (
    <section aria-labelledby="missing">
      <h2 id="missing" className="home-title">
        {t.title}
      </h2>
      <ol className="jobs">
        {needs.map((need) => {
          const { name, text } = t.needs[need];
          const [permission, place] = places[need];
          return (
            <li key={need} className="card job missing">
              <span>
                {may(permission) ? <Link href={place}>{name}</Link> : <strong>{name}</strong>}
                <span className="faint small">{text}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

export function FirstProduct() {
  const t = useTexts(texts).firstProduct;
  const may = useMay();
  const body = JSON.stringify({ title: 'Course', price: 150_000 });
  return (
    <EmptyState title={t.title} text={t.text} call={{ method: 'POST', path: '/products', body }}>
      {may('products:write') && (
        <Link className="button primary" href="/products/new">
          {t.make}
        </Link>
      )}
    </EmptyState>
  );
}
