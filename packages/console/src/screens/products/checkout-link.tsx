import { useState } from 'react';
import type { Product } from '../../api/generated.ts';
import { useStore } from '../../context/session.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface CheckoutLinkProps {
  readonly product: Product;
  /** The choices that the link fills in. */
  readonly cart: {
    readonly quantity: number;
    readonly chosen: Readonly<Record<string, string>>;
    readonly coupon: string;
  };
}

/** Shows the address of a product's checkout with the chosen options, and that of the product's page. */
export function CheckoutLink({ product, cart }: CheckoutLinkProps) {
  const t = useTexts(texts).link;
  const { shop_url } = useStore();
  const [affiliate, setAffiliate] = useState('');
  if (shop_url === null) return null;
  if (product.status !== 'publish') return <p className="hint">{t.draft}</p>;
  const address = addressOf(shop_url, product, cart, affiliate);
  return (
    <section className="form" aria-label={t.title}>
      <h3>{t.title}</h3>
      <Field name="affiliate" label={t.affiliate} hint={t.affiliateHint}>
        <TextInput
          className="short"
          inputMode="numeric"
          value={affiliate}
          onChange={({ target }) => setAffiliate(target.value.replaceAll(/\D/g, ''))}
        />
      </Field>
      <p className="small checkout-link">{address}</p>
      <div className="row">
        <CopyButton text={address} label={t.label} labelled />
        <a
          className="button plain"
          href={`${shop_url}/product/${encodeURIComponent(product.slug)}`}
          target="_blank"
          rel="noreferrer"
        >
          {t.page}
        </a>
      </div>
    </section>
  );
}

/** The checkout, or the link of an affiliate that leads there. */
function addressOf(
  shop: string,
  { id, slug }: Product,
  { quantity, chosen, coupon }: CheckoutLinkProps['cart'],
  affiliate: string,
): string {
  const page = affiliate
    ? `/aff/${affiliate}/${id}/checkout`
    : `/checkout/${encodeURIComponent(slug)}`;
  const query = new URLSearchParams();
  for (const option of Object.values(chosen)) if (option) query.append('variant', option);
  if (quantity > 1) query.set('quantity', String(quantity));
  if (coupon) query.set('coupon', coupon);
  return shop + page + (query.size > 0 ? `?${query.toString()}` : '');
}
