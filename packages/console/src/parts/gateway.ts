import { catalogue, useTexts } from '../texts/texts.ts';

const brands: Readonly<Record<string, string>> = {
  ...{ duitku: 'Duitku', midtrans: 'Midtrans', paypal: 'PayPal' },
  ...{ stripe: 'Stripe', xendit: 'Xendit' },
};

const texts = catalogue<Readonly<Record<string, string>>>({
  en: { manual: 'Bank transfer', cod: 'Payment on delivery', free: 'Nothing to pay', ...brands },
  id: { manual: 'Transfer bank', cod: 'Bayar di tempat', free: 'Gratis', ...brands },
});

/** The name of a way to pay: `manual:BCA` is “Bank transfer (BCA)”. */
export function useGateway(): (gateway: string) => string {
  const names = useTexts(texts);
  return (gateway) => {
    const [way = '', account] = gateway.split(':');
    return (names[way] ?? way) + (account ? ` (${account})` : '');
  };
}
