/** @jsxImportSource hono/jsx */
import type { Offer } from '../../../domain/checkout/offer.ts';
import type { Calculation } from '../../../domain/checkout/schemas.ts';
import type { StoreView } from './store.ts';

interface SummaryProps {
  readonly store: StoreView;
  readonly offer: Offer;
  readonly quote: string;
}

/** The lines of the total, and the order button. */
export const Summary = ({ store, offer, quote }: SummaryProps) => {
  const { texts } = store;
  const { price, form } = offer;
  return (
    <aside class="card stack summary" id="summary" aria-live="polite">
      <input type="hidden" name="quote" value={quote} />
      <h2>{texts.yourOrder}</h2>
      {price ? (
        <>
          <Lines store={store} lines={linesOf(store, offer, price)} total={price.grand_total} />
          {price.subscription && offer.further && (
            <p class="faint small">{laterOf(store, price.subscription, offer.further)}</p>
          )}
          {troublesOf(store, price).map((text) => (
            <p class="problem">{text}</p>
          ))}
          {offer.needsLink && form.link === '' && <p class="note small">{texts.byMail}</p>}
          <button class="button primary" name="action" value="order">
            {price.grand_total === 0 ? texts.placeFree : texts.place}
          </button>
          {store.links.terms && (
            <p class="faint small">
              {texts.agree.before}{' '}
              <a href={store.links.terms} target="_blank" rel="noreferrer">
                {texts.agree.terms}
              </a>
              .
            </p>
          )}
        </>
      ) : (
        <p class="problem">{offer.isClosed ? texts.notices.closed : texts.notices.choice}</p>
      )}
    </aside>
  );
};

/** Replaces the labels of the API that are English only: `Lines` names their kinds in each language. */
function linesOf({ language }: StoreView, { row }: Offer, { lines }: Calculation): LineView[] {
  const rate = `${row.product.tax.rate.toLocaleString(language)}%`;
  const labels: Readonly<Record<string, string>> = { signup: '', fee: '', tax: rate };
  return lines.map((line) => ({ ...line, label: labels[line.kind] ?? line.label }));
}

/** The trial, the payments after this order, and what follows the last one. */
function laterOf(
  { texts, money }: StoreView,
  { duration, period, payments }: NonNullable<Calculation['subscription']>,
  { usual, signup, trial, after }: NonNullable<Offer['further']>,
): string {
  const term = texts.every(duration, period as 'monthly');
  return [
    ...(trial ? [texts.trial(texts.span(trial.duration, trial.period))] : []),
    ...(signup === undefined ? [] : [texts.afterTrial(money(signup))]),
    payments === null
      ? texts.afterwards(money(usual), term)
      : texts.morePayments(signup === undefined ? payments : payments - 1, money(usual), term),
    ...(after ? [texts.afterLast[after]] : []),
  ].join(' ');
}

/** Named by its kind. */
interface LineView {
  readonly kind: string;
  readonly label: string;
  readonly amount: number;
  readonly included?: boolean | undefined;
}

interface LinesProps {
  readonly store: StoreView;
  readonly lines: readonly LineView[];
  readonly total: number;
}

export const Lines = ({ store: { texts, money }, lines, total }: LinesProps) => (
  <table class="lines">
    <tbody>
      {lines.map(({ kind, label, amount, included }) => (
        <tr>
          <th scope="row">
            {texts.lines[kind] ?? label}
            {label && texts.lines[kind] && <span class="faint small"> {label}</span>}
            {included && <span class="faint small"> ({texts.included})</span>}
          </th>
          <td class="end">{money(amount)}</td>
        </tr>
      ))}
      <tr class="sum">
        <th scope="row">{texts.total}</th>
        <td class="end">{money(total)}</td>
      </tr>
    </tbody>
  </table>
);

/** Why an order would be refused. */
function troublesOf({ texts }: StoreView, price: Calculation): string[] {
  if (price.valid) return [];
  const { available } = price.stock;
  const reason = price.coupon?.reason;
  const known = [
    ...(available !== null && available < price.quantity ? [texts.notEnough(available)] : []),
    ...(reason ? [texts.couponRefused[reason] ?? texts.couponUnknown] : []),
  ];
  return known.length > 0 ? known : [texts.notices.choice];
}
