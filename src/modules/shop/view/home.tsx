/** @jsxImportSource hono/jsx */
import { type ProductRow, unitsLeft } from '../../../domain/product/rules.ts';
import { pageOf } from './layout.tsx';
import { Price } from './price.tsx';
import type { StoreView } from './store.ts';

export const homePage = (store: StoreView, products: readonly ProductRow[]): string =>
  pageOf({
    store,
    title: store.texts.shop,
    children: (
      <>
        <h1>{store.name}</h1>
        {products.length === 0 && <p class="faint">{store.texts.noProducts}</p>}
        <ul class="products">
          {products.map((row) => (
            <li class="card">
              <ProductCard store={store} row={row} />
            </li>
          ))}
        </ul>
      </>
    ),
  });

const ProductCard = ({ store, row }: { store: StoreView; row: ProductRow }) => {
  const { product, stock } = row;
  return (
    <>
      {product.image_url && (
        <img src={product.image_url} alt="" loading="lazy" width="640" height="480" />
      )}
      <h2>
        <a href={`/product/${encodeURIComponent(product.slug)}`}>{product.title}</a>
      </h2>
      {product.excerpt && <p class="faint">{product.excerpt}</p>}
      <p class="foot">
        <Price store={store} product={product} />
        {unitsLeft(stock, '') === 0 && <span class="badge">{store.texts.soldOut}</span>}
      </p>
    </>
  );
};
