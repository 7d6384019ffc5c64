/** @jsxImportSource hono/jsx */
import { type ProductRow, sellingPrice } from '../../../domain/product/rules.ts';
import type { StoreView } from './store.ts';

type Product = ProductRow['product'];

export const Price = ({ store, product }: { store: StoreView; product: Product }) => {
  const { regular_price: regular } = product;
  const price = sellingPrice(product);
  const { texts, money } = store;
  const { active, payments, regular: period } = product.subscription;
  const term = active && texts.every(period.duration, period.period);
  return (
    <span class="price">
      {term && payments !== null && `${texts.payments(payments)} `}
      <strong>{price === 0 ? texts.free : money(price)}</strong>
      {regular !== null && regular > price && (
        <>
          {' '}
          <del>
            <span class="visually-hidden">{texts.insteadOf} </span>
            {money(regular)}
          </del>
        </>
      )}
      {term && <span class="faint">{payments === null ? ` ${term}` : texts.oneEvery(term)}</span>}
    </span>
  );
};
