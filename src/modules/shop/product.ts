import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { isClosed } from '../../domain/product/rules.ts';
import { findProduct, idOfSlug } from '../../queries/products.ts';
import { findSettings } from '../../queries/settings.ts';
import { errorPage, missingPage, pageAnswer } from './answers.ts';

export const showProduct = endpoint({
  id: 'shop.product',
  namespace: 'root',
  route: ['GET /product/:slug'],
  summary: 'Show a product',
  access: open('everybody may look at the shop'),
  effect: 'read',
  params: z.object({ slug: nameUpTo(200) }),
  reply: [200, html],
  errorPage,
}).handle(async ({ params, db, request, now }) => {
  const { found, settings } = await db.query({
    found: findProduct(idOfSlug(params.slug)),
    settings: findSettings(),
  });
  const [row] = found;
  if (!row || row.product.status !== 'publish') return missingPage(settings, request);
  const { productPage } = await import('./view/product.tsx');
  // The access code is asked for at the checkout.
  const isOffered = !isClosed(row.product, undefined, now) || row.product.access_code !== '';
  const { search } = new URL(request.url);
  return pageAnswer(settings, request, (store) => productPage(store, row, isOffered, search), {
    images: [row.product.image_url],
  });
});
