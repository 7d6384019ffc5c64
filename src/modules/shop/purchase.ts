import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { seeOther } from '../../kernel/command/answers.ts';
import type { Config } from '../../config.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import type { Answer } from '../../kernel/command/decision.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { type Refusal, isRefusal } from '../../kernel/errors/errors.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { CheckoutForm, emailOf, quantityOf } from '../../domain/checkout/form.ts';
import { type Offer, offerOf } from '../../domain/checkout/offer.ts';
import { readSeenQuote } from '../../domain/checkout/quote.ts';
import { firstDraw } from '../../domain/pricing/unique-code.ts';
import {
  type DrawState,
  type FormOutcome,
  type SentForm,
  decideForm,
  loadForm,
  nobody,
} from '../../actions/shop/placing.ts';
import { readForm, signForm } from '../../actions/shop/purchase-link.ts';
import { formKeys, networksOf, orderToken } from '../../actions/shop/secrets.ts';
import { mailPurchaseLink } from '../../processes/shop/mailing.ts';
import { sendsMail } from '../../processes/console/mailing.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { cartState, formParameters, loadPurchase } from '../../queries/purchases.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { type PageRequest, errorPage, languageOf, messageAnswer, missingPage } from './answers.ts';
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
}).handle(async ({ params: { slug }, body, ...context }) => {
  const { request, authority, config, now } = context;
  if (body.website !== '') return messageAnswer(request, 'refused', 400);
  const linked = await readForm(body.link, authority, now);
  // A link is valid for its own address and one order.
  const form = linked
    ? { ...body, email: linked.email, key: linked.key }
    : { ...body, link: '', key: body.key || randomBase62(32) };
  const purchase = { slug, form, isVerified: linked !== undefined };
  const redirects = await loadGateways(config);
  // A form of another site shows the page: its visitors would order without seeing it, each from a network of their own.
  const isForeign = request.header('sec-fetch-site') === 'cross-site';
  return form.action === 'order' && !isForeign
    ? placeOrder(purchase, redirects, context)
    : showPrice(purchase, redirects, context);
});

type Purchase = Pick<SentForm, 'slug' | 'form' | 'isVerified'>;

interface Context {
  readonly db: WriteAccess<string>;
  readonly request: PageRequest;
  readonly authority: Authority;
  readonly config: Config;
  readonly after: (work: (services: Services) => Promise<void>) => void;
  readonly now: Date;
}

async function showPrice(
  { slug, form, isVerified }: Purchase,
  redirects: readonly Gateway[],
  { db, request, authority, now }: Context,
): Promise<Answer> {
  const { coupon, ref } = form;
  const email = isVerified ? emailOf(form) : undefined;
  const quantity = quantityOf(form);
  const loaded = await db.query(
    loadPurchase(formParameters({ slug, email, coupon, ref, quantity }, now)),
  );
  const offer = offerOf({ ...cartState(loaded), redirects, draw: firstDraw }, form, now);
  return offer
    ? checkoutAnswer(loaded.settings, request, offer, { authority, now })
    : missingPage(loaded.settings, request);
}

async function placeOrder(
  purchase: Purchase,
  redirects: readonly Gateway[],
  context: Context,
): Promise<Answer> {
  const { db, request, authority, config, now } = context;
  const { form } = purchase;
  const linkKey = randomBase62(32);
  const [mailedKey = ''] = await formKeys(linkKey, authority);
  const sent: SentForm = {
    ...purchase,
    keys: await formKeys(form.key, authority),
    mailedKey,
    networks: await networksOf(request.header('cf-connecting-ip') ?? '', authority, now),
    seen: await readSeenQuote(form.quote, authority),
  };
  let outcome: FormOutcome = { kind: 'missing' };
  let settings: readonly SettingsRow[] = [];
  let offer: Offer | undefined;
  const changed = await db.change({
    load: (again: DrawState | undefined) => loadForm(sent, now, again),
    decide: (loaded, again): Refusal | ReturnType<typeof written> => {
      ({ settings } = loaded);
      const decided = decideForm(loaded, sent, {
        ...{ redirects, now, sendsLinks: sendsMail(config) },
        ...(again && { again }),
      });
      if (!isRefusal(decided)) {
        ({ outcome } = decided);
        return written(decided);
      }
      const person = sent.isVerified ? {} : nobody;
      const state = { ...cartState(loaded), redirects, draw: firstDraw, ...person };
      offer = offerOf(state, form, now);
      return decided;
    },
  });
  const answer = { ...context, settings, form: { ...form, key: linkKey }, slug: purchase.slug };
  return isRefusal(changed)
    ? refusedAnswer(changed, offer, answer)
    : outcomeAnswer(outcome, answer);
}

interface AnswerContext extends Context {
  readonly settings: readonly SettingsRow[];
  readonly slug: string;
  /** As a mailed link holds it. */
  readonly form: CheckoutForm;
}

/** Shows the page again with its new price, if there is one. */
async function refusedAnswer(
  { refused }: Refusal,
  offer: Offer | undefined,
  { settings, request, authority, now }: AnswerContext,
): Promise<Answer> {
  if (refused === 'rest_too_many_requests') return messageAnswer(request, 'tooMany', 429, settings);
  if (!offer) return messageAnswer(request, 'busy', 409, settings);
  const notice = refused === 'out_of_stock' ? 'soldOut' : 'changed';
  return checkoutAnswer(settings, request, offer, { authority, now, notice, status: 409 });
}

async function outcomeAnswer(outcome: FormOutcome, context: AnswerContext): Promise<Answer> {
  const { settings, request, authority, now } = context;
  switch (outcome.kind) {
    case 'placed':
      return seeOther(
        `/order/${await orderToken(outcome.order_id, outcome.generation, authority)}`,
      );
    case 'missing':
      return missingPage(settings, request);
    case 'show': {
      const { offer, why: notice, faults } = outcome;
      const status = notice === 'faults' ? 422 : 409;
      return checkoutAnswer(settings, request, offer, { authority, now, notice, faults, status });
    }
    case 'mail':
      return mailAnswer(outcome.email, context);
  }
}

async function mailAnswer(
  email: string,
  { settings, request, authority, config, after, form, slug, now }: AnswerContext,
): Promise<Answer> {
  const [store] = settings;
  if (!sendsMail(config)) return messageAnswer(request, 'noMail', 409, settings);
  const link = await signForm(form, authority, now);
  const language = languageOf(request.header('accept-language'), store?.language ?? 'en');
  const url = `${config.BASE_URL}/checkout/${encodeURIComponent(slug)}?link=${link}`;
  const mail = { email, url, language, store: store?.store_name ?? '' };
  after((services) => mailPurchaseLink(mail, services));
  return messageAnswer(request, 'mailed', 200, settings);
}

/** The page is rendered after the write. */
const written = ({ write, events, again }: Exclude<ReturnType<typeof decideForm>, Refusal>) => ({
  write,
  events,
  ...(again && { again }),
  reply: '',
});
