import { useEffect, useState } from 'react';
import type { Settings } from '../../api/generated.ts';
import { isOurs } from '../../parts/picture-upload.tsx';
import { useTexts } from '../../texts/texts.ts';
import { shopTexts } from './shop-texts.ts';

/** The checkout as it will look, with the typed values. */
export function ShopPreview({ values }: { readonly values: Settings }) {
  const t = useTexts(shopTexts).preview;
  const color = useLast(values.shop_color);
  const links = (['contact', 'terms', 'privacy', 'imprint'] as const).filter(
    (name) => values[`shop_${name}_url`] !== '',
  );
  const isAsked = values.shop_phone !== 'off';
  return (
    <aside className="card" aria-label={t.title}>
      <h2>{t.title}</h2>
      {/* The shop's own style sheet for this colour, which adjusts the colour until text is readable. */}
      {/^#[0-9a-f]{6}$/.test(color) && (
        <link rel="stylesheet" href={`/shop/colors/${color.slice(1)}.css`} />
      )}
      <div className={`shop-preview${color ? ' shop' : ''}`} role="img" aria-label={t.picture}>
        <p className="top">
          {isOurs(values.shop_logo_url) ? (
            <img src={values.shop_logo_url} alt="" />
          ) : (
            <b>{values.store_name}</b>
          )}
        </p>
        <div className="page">
          <b>{t.product}</b>
          {t.fields.map((name) => (
            <MockField key={name} name={name} />
          ))}
          {isAsked && (
            <MockField name={values.shop_phone === 'required' ? t.phone : t.optionalPhone} />
          )}
          <span className="mock-button">{t.button}</span>
          {values.shop_terms_url && (
            <span className="small faint">
              {t.agree} <span className="mock-link">{t.terms}</span>.
            </span>
          )}
        </div>
        {links.length > 0 && (
          <p className="mock-links small">
            {links.map((name) => (
              <span key={name} className="mock-link">
                {t.links[name]}
              </span>
            ))}
          </p>
        )}
      </div>
    </aside>
  );
}

const MockField = ({ name }: { readonly name: string }) => (
  <span className="mock-field small">
    {name}
    <span />
  </span>
);

/** Returns a value once it has stopped changing, such as a colour during a drag. */
function useLast<T>(value: T): T {
  const [last, setLast] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLast(value), 150);
    return () => clearTimeout(timer);
  }, [value]);
  return last;
}
