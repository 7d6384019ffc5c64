/** @jsxImportSource hono/jsx */
import { type ProductRow, sellingPrice, unitsLeft } from '../../../domain/product/rules.ts';
import { Paragraphs, pageOf } from './layout.tsx';
import { Price } from './price.tsx';
import type { StoreView } from './store.ts';

/**
 * @param isOffered true if it can be bought now
 * @param search the visitor's query, passed on to the checkout
 */
export function productPage(
  store: StoreView,
  row: ProductRow,
  isOffered: boolean,
  search: string,
): string {
  const { product, stock } = row;
  const { texts } = store;
  const isGone = unitsLeft(stock, '') === 0;
  return pageOf({
    store,
    title: product.title,
    children: (
      <article class={product.image_url ? 'product' : 'product plain'}>
        {product.image_url && (
          <img src={product.image_url} alt="" width="640" height="480" class="picture" />
        )}
        <div class="stack">
          <h1>{product.title}</h1>
          {product.excerpt && <p class="lead">{product.excerpt}</p>}
          <p class="large">
            <Price store={store} product={product} />
          </p>
          {isOffered && !isGone ? (
            <a
              class="button primary"
              href={`/checkout/${encodeURIComponent(product.slug)}${search}`}
            >
              {sellingPrice(product) === 0 ? texts.getFree : texts.buy}
            </a>
          ) : (
            <p class="note">{isGone ? texts.soldOut : texts.closed}</p>
          )}
          <Paragraphs text={product.description} />
        </div>
      </article>
    ),
  });
}
