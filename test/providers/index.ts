import { DuitkuServer } from './duitku.ts';
import { MidtransServer } from './midtrans.ts';
import { PayPalServer } from './paypal.ts';
import type { TestProvider } from './provider.ts';
import { StripeServer } from './stripe.ts';
import { XenditServer } from './xendit.ts';

/** The payment providers as servers on this machine, made anew by each call. */
export const providers: Readonly<Record<string, () => TestProvider>> = {
  stripe: () => new StripeServer(),
  midtrans: () => new MidtransServer(),
  duitku: () => new DuitkuServer(),
  xendit: () => new XenditServer(),
  paypal: () => new PayPalServer(),
};

export const providerNames = Object.keys(providers);
