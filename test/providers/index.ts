import { DuitkuServer } from './duitku.ts';
import { MidtransServer } from './midtrans.ts';
import { PayPalServer } from './paypal.ts';
import type { TestProvider } from './provider.ts';
import { StripeServer } from './stripe.ts';
import { XenditServer } from './xendit.ts';

/** The providers that stores use, as servers on this machine; each is made anew. */
export const providers: Readonly<Record<string, () => TestProvider>> = {
  stripe: () => new StripeServer(),
  midtrans: () => new MidtransServer(),
  duitku: () => new DuitkuServer(),
  xendit: () => new XenditServer(),
  paypal: () => new PayPalServer(),
};

/** The providers that a test speaks of, each by its name. */
export const providerNames = Object.keys(providers);
