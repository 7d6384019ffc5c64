/** @jsxImportSource hono/jsx */
import { type ProductRow, sellingPrice } from '../../../domain/product/rules.ts';
import type { StoreView } from './store.ts';

type Product = ProductRow['product'];

export const Price = ({ store, product }: { store: StoreView; product: Product }) => {
  const { regular_price: regular } = product;
  const price = sellingPrice(product);
  const { texts, money } = store;
  const term = termOf(product);
  return (
    <span class="price">
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
      {term && <span class="faint"> {texts.every(term.duration, term.period)}</span>}
    </span>
  );
};

/** Undefined for a single payment. */
const termOf = ({ subscription }: Product) =>
  subscription.active ? subscription.regular : undefined;
