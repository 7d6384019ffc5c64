import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { seeOther } from '../../kernel/command/answers.ts';
import type { Answer } from '../../kernel/command/decision.ts';
import { type Refusal, isRefusal } from '../../kernel/errors/errors.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { CheckoutForm, emailOf } from '../../domain/checkout/form.ts';
import { type Offer, offerOf } from '../../domain/checkout/offer.ts';
import { readSeenQuote } from '../../domain/checkout/quote.ts';
import { firstDraw } from '../../domain/pricing/unique-code.ts';
import {
  type DrawState,
  type FormOutcome,
  type SentForm,
  decideForm,
  loadForm,
} from '../../actions/shop/placing.ts';
import { readForm, signForm } from '../../actions/shop/purchase-link.ts';
import { formKey, networkOf, orderToken } from '../../actions/shop/secrets.ts';
import { mailPurchaseLink } from '../../processes/shop/mailing.ts';
import { sendsMail } from '../../processes/console/mailing.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { cartState, formParameters, loadPurchase } from '../../queries/purchases.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { errorPage, languageOf, messageAnswer, missingPage } from './answers.ts';
import { checkoutAnswer } from './checkout-answer.ts';

export const sendPurchase = endpoint({
  id: 'shop.purchase',
  namespace: 'root',
  route: ['POST /checkout/:slug'],
  summary: 'Price a purchase, or place its order',
  access: open('buyers have no account before they buy'),
  effect: 'write',
  conditional: false,
  params: z.object({ slug: nameUpTo(200) }),
  body: CheckoutForm,
  bodyType: 'application/x-www-form-urlencoded',
  bodyLimit: 65_536,
  reply: [200, html],
  errorPage,
}).handle(async ({ params: { slug }, body, db, request, authority, config, after, now }) => {
  const linked = await readForm(body.link, authority, now);
  // The link is valid for its own address, and for one order.
  const form = linked
    ? { ...body, email: linked.email, key: linked.key }
    : { ...body, link: '', key: body.key || randomBase62(32) };
  const redirects = await loadGateways(config);
  if (body.website !== '') return messageAnswer(request, 'refused', 400);
  if (body.action !== 'order') {
    const { coupon, ref } = form;
    const email = linked && emailOf(form);
    const quantity = Number(form.quantity) || 1;
    const loaded = await db.query(
      loadPurchase(formParameters({ slug, email, coupon, ref, quantity }, now)),
    );
    const offer = offerOf({ ...cartState(loaded), redirects, draw: firstDraw }, form, now);
    return offer
      ? checkoutAnswer(loaded.settings, request, offer, { authority, now })
      : missingPage(loaded.settings, request);
  }
  const mailedKey = randomBase62(32);
  const sent: SentForm = {
    ...{ slug, form, isVerified: linked !== undefined },
    key: await formKey(form.key, authority),
    mailedKey: await formKey(mailedKey, authority),
    network: await networkOf(request.header('cf-connecting-ip') ?? '', authority, now),
    seen: await readSeenQuote(form.quote, authority),
  };
  let outcome: FormOutcome = { kind: 'missing' };
  let settings: readonly SettingsRow[] = [];
  let offered: Offer | undefined;
  const changed = await db.change({
    load: (again: DrawState | undefined) => loadForm(sent, now, again),
    decide: (loaded, again): Refusal | ReturnType<typeof written> => {
      ({ settings } = loaded);
      const context = { redirects, now, ...(again && { again }) };
      const decided = decideForm(loaded, sent, context);
      if (isRefusal(decided)) {
        offered = offerOf(
          { ...cartState(loaded), redirects, draw: firstDraw, buyer: undefined },
          form,
          now,
        );
        return decided;
      }
      ({ outcome } = decided);
      return written(decided);
    },
  });
  if (isRefusal(changed)) {
    if (changed.refused === 'rest_too_many_requests')
      return messageAnswer(request, 'tooMany', 429, settings);
    const notice = changed.refused === 'out_of_stock' ? 'soldOut' : 'changed';
    return offered
      ? checkoutAnswer(settings, request, offered, { authority, now, notice, status: 409 })
      : messageAnswer(request, 'busy', 409, settings);
  }
  return answerOf(outcome);

  async function answerOf(reached: FormOutcome): Promise<Answer> {
    switch (reached.kind) {
      case 'placed':
        return seeOther(
          `/order/${await orderToken(reached.order_id, reached.generation, authority)}`,
        );
      case 'missing':
        return missingPage(settings, request);
      case 'show': {
        const { offer, why: notice, faults } = reached;
        return checkoutAnswer(settings, request, offer, {
          ...{ authority, now, notice, faults },
          status: notice === 'faults' ? 422 : 409,
        });
      }
      case 'mail': {
        if (!sendsMail(config)) return messageAnswer(request, 'noMail', 409, settings);
        const [store] = settings;
        const link = await signForm({ ...form, key: mailedKey }, authority, now);
        const language = languageOf(request.header('accept-language'), store?.language ?? 'en');
        const url = `${config.BASE_URL}/checkout/${encodeURIComponent(slug)}?link=${link}`;
        const mail = { email: reached.email, url, language, store: store?.store_name ?? '' };
        after((services) => mailPurchaseLink(mail, services));
        return messageAnswer(request, 'mailed', 200, settings);
      }
    }
  }
});

/** A decision on a form; its page is rendered after the write. */
const written = ({ write, events, again }: Exclude<ReturnType<typeof decideForm>, Refusal>) => ({
  write,
  events,
  ...(again && { again }),
  reply: '',
});
