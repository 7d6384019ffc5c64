import { Link } from 'wouter';
import type { Overview } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Need = Overview['missing'][number];

/** The screens that set a missing part; products come by API, or with an import. */
const places: Readonly<Partial<Record<Need, string>>> = {
  currency: '/settings',
  payment: '/settings/payments',
  sender: '/settings/messages',
};

/** The missing parts of the store, most important first. */
export function Missing({ needs }: { readonly needs: readonly Need[] }) {
  const t = useTexts(texts).missing;
  const isAdministrator = useMay()('administrator');
  if (needs.length === 0) return null;
  return (
    <section aria-labelledby="missing">
      <h2 id="missing" className="home-title">
        {t.title}
      </h2>
      <ol className="jobs">
        {needs.map((need) => {
          const { name, text } = t.needs[need];
          const place = isAdministrator ? places[need] : undefined;
          return (
            <li key={need} className="card job missing">
              <span>
                {place === undefined ? <strong>{name}</strong> : <Link href={place}>{name}</Link>}
                <span className="faint small">{text}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The first product, for whoever sees screens for developers: there is no screen to make one yet. */
export function FirstProduct() {
  const t = useTexts(texts).firstProduct;
  const body = JSON.stringify({ title: 'Course', price: 150_000 });
  return (
    <EmptyState title={t.title} text={t.text} call={{ method: 'POST', path: '/products', body }} />
  );
}
