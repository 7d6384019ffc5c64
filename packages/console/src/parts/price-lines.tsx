import { ApiError } from '../../../client/src/errors.ts';
import { api } from '../api/client.ts';
import type { Calculation, Cart, PriceLine } from '../api/generated.ts';
import { obstaclesInWords } from '../api/refusals.ts';
import { catalogue, useTexts } from '../texts/texts.ts';
import { ErrorView } from './error-view.tsx';
import { Money, useMoney } from './money.tsx';

const texts = catalogue({
  en: {
    total: 'Total',
    lines: { signup: 'Sign-up', fee: 'Payment on delivery', tax: 'Tax' },
    included: 'included',
    cannot: 'This cannot be ordered now:',
    closed: 'Buyers can order it once it is published and on sale.',
    coupon: (code: string, why: string) => `${code} takes nothing off: ${why}`,
    reasons: {
      coupon_not_found: 'there is no such coupon.',
      coupon_inactive: 'it is switched off.',
      coupon_not_started: 'it cannot be used yet.',
      coupon_expired: 'it has expired.',
      coupon_limit_reached: 'it is used up.',
      coupon_user_limit: 'the buyer has used it as often as allowed.',
      coupon_product_excluded: 'it is not for this product.',
      coupon_min_amount: 'the goods are worth too little.',
      coupon_renewal_only: 'it is for renewals only.',
      coupon_own: 'affiliates cannot use their own.',
      coupon_group: 'it is for certain buyers only.',
      coupon_first_order_only: 'it is only for a first order.',
    },
    every: {
      daily: (n: number) => (n === 1 ? 'every day' : `every ${n} days`),
      monthly: (n: number) => (n === 1 ? 'every month' : `every ${n} months`),
      yearly: (n: number) => (n === 1 ? 'every year' : `every ${n} years`),
    },
    later: (price: string, every: string) => `Then ${price} ${every}.`,
    payments: (n: number, price: string, every: string) =>
      n === 1 ? `Then 1 payment of ${price}.` : `Then ${n} payments of ${price}, one ${every}.`,
  },
  id: {
    total: 'Total',
    lines: { signup: 'Biaya pendaftaran', fee: 'Bayar di tempat', tax: 'Pajak' },
    included: 'termasuk',
    cannot: 'Ini belum dapat dipesan:',
    closed: 'Pembeli dapat memesannya setelah terbit dan dijual.',
    coupon: (code: string, why: string) => `${code} tidak memotong apa pun: ${why}`,
    reasons: {
      coupon_not_found: 'kupon ini tidak ada.',
      coupon_inactive: 'kupon ini mati.',
      coupon_not_started: 'kupon ini belum berlaku.',
      coupon_expired: 'kupon ini sudah berakhir.',
      coupon_limit_reached: 'kupon ini sudah habis.',
      coupon_user_limit: 'pembeli sudah memakainya sebanyak yang diizinkan.',
      coupon_product_excluded: 'bukan untuk produk ini.',
      coupon_min_amount: 'nilai barang terlalu kecil.',
      coupon_renewal_only: 'hanya untuk perpanjangan.',
      coupon_own: 'afiliasi tidak dapat memakai kuponnya sendiri.',
      coupon_group: 'hanya untuk pembeli tertentu.',
      coupon_first_order_only: 'hanya untuk pesanan pertama.',
    },
    every: {
      daily: (n: number) => (n === 1 ? 'tiap hari' : `tiap ${n} hari`),
      monthly: (n: number) => (n === 1 ? 'tiap bulan' : `tiap ${n} bulan`),
      yearly: (n: number) => (n === 1 ? 'tiap tahun' : `tiap ${n} tahun`),
    },
    later: (price: string, every: string) => `Selanjutnya ${price} ${every}.`,
    payments: (n: number, price: string, every: string) =>
      `Selanjutnya ${n} kali pembayaran ${price}${n === 1 ? '' : `, sekali ${every}`}.`,
  },
});

type Period = keyof (typeof texts)['en']['every'];

export async function priceOf(cart: Cart, signal: AbortSignal): Promise<Calculation> {
  const { data } = await api.checkout.calculate(cart, { signal });
  return { ...data, messages: await obstaclesInWords(data.messages) };
}

/** The lines of a price, their sum, and the reasons why it can't be ordered or a coupon takes nothing off. */
export function PriceLines({ priced }: { readonly priced: Calculation }) {
  const t = useTexts(texts);
  const money = useMoney();
  // The service names lines in English; products, options and coupons have their own names.
  const nameOf = (kind: PriceLine['kind'], label: string): string => {
    if (kind === 'tax') return label.replace(/^Tax/, t.lines.tax);
    return kind === 'signup' || kind === 'fee' ? t.lines[kind] : label;
  };
  const { lines, grand_total, currency, subscription, messages, coupon } = priced;
  const laterOf = ({ price, period, duration, payments }: NonNullable<typeof subscription>) => {
    const every = t.every[period as Period](duration);
    const amount = money(price, currency);
    return payments === null ? t.later(amount, every) : t.payments(payments, amount, every);
  };
  return (
    <div aria-live="polite">
      <table className="plain-table sums">
        <tbody>
          {lines.map(({ kind, label, amount, included }) => (
            <tr key={`${kind} ${label}`}>
              <th scope="row">
                {nameOf(kind, label)}
                {included && ` (${t.included})`}
              </th>
              <td className="end">
                <Money amount={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.total}</th>
            <td className="end">
              <Money amount={grand_total} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </table>
      {subscription && <p className="hint">{laterOf(subscription)}</p>}
      {coupon?.reason && <p className="hint">{t.coupon(coupon.code, t.reasons[coupon.reason])}</p>}
      {messages.length > 0 && (
        <p className="hint">
          {t.cannot} {messages.join(' ')}
        </p>
      )}
    </div>
  );
}

/** Explains a missing price: a product that can't be ordered has none. */
export function Unpriced({ error }: { readonly error: Error }) {
  const t = useTexts(texts);
  const isClosed = error instanceof ApiError && error.code === 'product_closed';
  return isClosed ? <p className="hint">{t.closed}</p> : <ErrorView error={error} />;
}
