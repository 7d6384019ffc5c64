import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { CheckoutPresets, emailOf, emptyForm, quantityOf } from '../../domain/checkout/form.ts';
import { offerOf } from '../../domain/checkout/offer.ts';
import { firstDraw } from '../../domain/pricing/unique-code.ts';
import { readForm } from '../../actions/shop/purchase-link.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { cartState, formParameters, loadPurchase } from '../../queries/purchases.ts';
import { errorPage, missingPage } from './answers.ts';
import { checkoutAnswer } from './checkout-answer.ts';

export const showCheckout = endpoint({
  id: 'shop.checkout',
  namespace: 'root',
  route: ['GET /checkout/:slug'],
  summary: 'Show the checkout of a product',
  access: open('everybody may look at the shop'),
  effect: 'read',
  params: z.object({ slug: nameUpTo(200) }),
  query: CheckoutPresets,
  reply: [200, html],
  errorPage,
}).handle(async ({ params, query, db, request, authority, config, now }) => {
  const linked = await readForm(query.link, authority, now);
  const asked = linked ? { ...linked, link: query.link } : emptyForm({ ...query, link: '' });
  const email = linked && emailOf(linked);
  const { coupon, ref } = asked;
  const quantity = quantityOf(asked);
  const loaded = await db.query(
    loadPurchase(formParameters({ slug: params.slug, email, coupon, ref, quantity }, now)),
  );
  const redirects = await loadGateways(config);
  const state = { ...cartState(loaded), redirects, draw: firstDraw };
  const offer = offerOf(state, asked, now);
  if (!offer) return missingPage(loaded.settings, request);
  const notice = query.link !== '' && !linked ? ('linkOver' as const) : undefined;
  return checkoutAnswer(loaded.settings, request, offer, { authority, now, notice });
});
