import type { Authority } from '../../kernel/auth/principals.ts';
import type { Answer } from '../../kernel/command/decision.ts';
import type { FormField } from '../../domain/checkout/form.ts';
import type { Offer } from '../../domain/checkout/offer.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { signQuote } from '../../domain/checkout/quote.ts';
import { checkoutTerms } from '../../domain/checkout/terms.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { type PageRequest, pageAnswer } from './answers.ts';
import type { CheckoutNotice } from './view/checkout.tsx';

interface CheckoutOptions {
  readonly authority: Authority;
  readonly now: Date;
  readonly notice?: CheckoutNotice | undefined;
  readonly faults?: readonly FormField[];
  readonly status?: number;
}

/**
 * The page contains a quote of its price and terms, and a key of its own: whoever knows the key of a form can open its order, and
 * another site may have made the form that the page answers.
 */
export async function checkoutAnswer(
  settings: readonly SettingsRow[],
  request: PageRequest,
  offer: Offer,
  { authority, now, notice, faults = [], status = 200 }: CheckoutOptions,
): Promise<Answer> {
  const { checkoutPage } = await import('./view/checkout.tsx');
  // The claims of a token are readable, so it must hold nothing secret.
  const { access_code: _, ...cart } = offer.cart;
  const terms = checkoutTerms(offer);
  const quote =
    offer.price &&
    (await signQuote({ cart, grand_total: offer.price.grand_total, terms }, authority, now));
  return pageAnswer(
    settings,
    request,
    (store) =>
      checkoutPage(store, offer, { quote: quote ?? '', key: randomBase62(32), notice, faults }),
    { status, isFramed: true, ...(status >= 400 && { code: 'rest_invalid_param' }) },
  );
}
