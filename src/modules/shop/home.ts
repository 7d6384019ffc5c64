import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { isClosed } from '../../domain/product/rules.ts';
import { listPublished } from '../../queries/products.ts';
import { findSettings } from '../../queries/settings.ts';
import { errorPage, pageAnswer } from './answers.ts';

export const showHome = endpoint({
  id: 'shop.home',
  namespace: 'root',
  route: ['GET /'],
  accepts: 'text/html',
  summary: 'Show the shop',
  access: open('everybody may look at the shop'),
  effect: 'read',
  reply: [200, html],
  errorPage,
}).handle(async ({ db, request, now }) => {
  const { products, settings } = await db.query({
    products: listPublished(),
    settings: findSettings(),
  });
  const { homePage } = await import('./view/home.tsx');
  const offered = products.filter(({ product }) => !isClosed(product, undefined, now));
  return pageAnswer(settings, request, (store) => homePage(store, offered), {
    images: offered.map(({ product }) => product.image_url),
  });
});
