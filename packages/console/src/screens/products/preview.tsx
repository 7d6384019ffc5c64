import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Product } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { type Choices as Chosen, cartOf, firstChoices } from '../../parts/cart.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { PriceLines, Unpriced, priceOf } from '../../parts/price-lines.tsx';
import { Select } from '../../parts/select.tsx';
import { useTexts } from '../../texts/texts.ts';
import { CheckoutLink } from './checkout-link.tsx';
import { texts } from './texts.ts';

interface PreviewProps {
  readonly product: Product;
  /** True if typed values aren't saved, so the service doesn't know them. */
  readonly isChanged: boolean;
}

/** Prices the saved product with a buyer's choices. */
export function Preview({ product, isChanged }: PreviewProps) {
  const t = useTexts(texts);
  const [cart, setCart] = useState(() => firstChoices(product));
  const may = useMay();
  const { data, error } = useQuery({
    queryKey: ['products', product.id, 'price', product.version, cart],
    queryFn: ({ signal }) => priceOf(cartOf(product, cart), signal),
    placeholderData: keepPreviousData,
    enabled: may('checkout:read'),
  });
  return (
    <aside className="card" aria-label={t.sections.preview}>
      <h2>{t.sections.preview}</h2>
      <Choices product={product} cart={cart} onChange={setCart} />
      {error && <Unpriced error={error} />}
      {data && !error && <PriceLines priced={data} />}
      {isChanged && <p className="hint">{t.preview.after}</p>}
      <CheckoutLink product={product} cart={cart} />
    </aside>
  );
}

interface ChoicesProps {
  readonly product: Product;
  readonly cart: Chosen;
  readonly onChange: (cart: Chosen) => void;
}

function Choices({ product, cart, onChange }: ChoicesProps) {
  const t = useTexts(texts).preview;
  const { enable_quantity, max_quantity, variants, shipping } = product;
  const none = ['', t.choose] as const;
  return (
    <div className="form">
      {enable_quantity && (
        <Field name="quantity" label={t.quantity} required>
          <TextInput
            type="number"
            className="short"
            min={1}
            max={max_quantity ?? 1_000_000}
            value={cart.quantity}
            onChange={({ target }) =>
              onChange({ ...cart, quantity: Math.max(1, Math.trunc(Number(target.value))) })
            }
          />
        </Field>
      )}
      {variants.map(({ id, label, required, options }) => (
        <Field key={id} name={id} label={label} required>
          <Select
            value={cart.chosen[id] ?? ''}
            options={[
              ...(required ? [] : [none]),
              ...options
                .filter(({ active }) => active)
                .map((each) => [each.id, each.label] as const),
            ]}
            onChange={(value) => onChange({ ...cart, chosen: { ...cart.chosen, [id]: value } })}
          />
        </Field>
      ))}
      {shipping.active && shipping.options.length > 0 && (
        <Field name="shipping" label={t.shipping} required>
          <Select
            value={cart.shipping}
            options={shipping.options.map(({ id, courier, service, label }) => [
              id,
              [courier, label || service].filter(Boolean).join(' '),
            ])}
            onChange={(value) => onChange({ ...cart, shipping: value })}
          />
        </Field>
      )}
      <Field name="coupon" label={t.coupon}>
        <TextInput
          value={cart.coupon}
          maxLength={64}
          onChange={({ target }) => onChange({ ...cart, coupon: target.value.trim() })}
        />
      </Field>
    </div>
  );
}
