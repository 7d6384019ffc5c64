/** @jsxImportSource hono/jsx */
import type { Verdict } from '../../../../domain/license/verdict-codes.ts';
import type { Order } from '../../../../domain/order/schemas.ts';
import type { Subscription } from '../../../../domain/subscription/schemas.ts';
import { type LinkedFile, Files } from '../files.tsx';
import type { StoreView } from '../store.ts';
import { accountTexts } from '../texts/account.ts';
import { type Member, accountFrame } from './frame.tsx';

/** With its whole code, as its owner sees it. */
interface OwnLicense {
  readonly code: string;
  readonly product: { readonly title: string };
  readonly verdict: Verdict;
  readonly expires_at: string | null;
  readonly activation_limit: number;
  readonly activation_count: number;
  readonly strings: readonly string[];
}

/** With its downloads. */
interface OwnProduct {
  readonly product_id: number;
  readonly name: string;
  readonly end_active: string | null;
  readonly files: readonly LinkedFile[];
}

interface AccountView {
  readonly member: Member;
  readonly orders: readonly Order[];
  readonly products: readonly OwnProduct[];
  readonly licences: readonly OwnLicense[];
  readonly subscriptions: readonly Subscription[];
}

interface Part {
  readonly store: StoreView;
  readonly view: AccountView;
}

export function accountPage(store: StoreView, view: AccountView): string {
  const t = accountTexts[store.language];
  const parts = { store, view };
  return accountFrame({
    ...{ store, member: view.member, title: t.title, at: '/account' },
    children: (
      <>
        <Products {...parts} />
        <Subscriptions {...parts} />
        <Licences {...parts} />
        <Orders {...parts} />
      </>
    ),
  });
}

function Products({ store, view: { products } }: Part) {
  const t = accountTexts[store.language];
  if (products.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{t.access}</h2>
      {products.map(({ name, end_active, files }) => (
        <>
          <h3>{name}</h3>
          {end_active && <p class="faint">{t.until(store.moment(end_active))}</p>}
          {files.length > 0 && <Files label={`${t.files}: ${name}`} files={files} />}
        </>
      ))}
    </section>
  );
}

function Subscriptions({ store, view: { subscriptions } }: Part) {
  const t = accountTexts[store.language];
  if (subscriptions.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{t.subscriptions}</h2>
      <ul class="stack">
        {subscriptions.map(({ id, product_name, status, end_date }) => (
          <li>
            <a href={`/account/subscriptions/${id}`}>{product_name}</a> · {t.running[status]}
            {end_date && (
              <span class="faint">
                {' '}
                {status === 'active' ? t.until(store.moment(end_date)) : store.moment(end_date)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Licences({ store, view: { licences } }: Part) {
  const t = accountTexts[store.language];
  if (licences.length === 0) return null;
  return (
    <section class="card stack" id="licences">
      <h2>{t.licences}</h2>
      {licences.map(({ code, product, verdict, expires_at, strings, ...seats }) => (
        <>
          <h3>{product.title}</h3>
          <p>
            <code>{code}</code>
          </p>
          {verdict !== 'VALID' && <p>{t.verdicts[verdict] ?? t.invalid}</p>}
          {verdict === 'VALID' && expires_at && (
            <p class="faint">{t.until(store.moment(expires_at))}</p>
          )}
          {verdict === 'VALID' && seats.activation_limit > 0 && (
            <p class="faint">{t.seats(seats.activation_count, seats.activation_limit)}</p>
          )}
          {verdict === 'VALID' && strings.length === 0 && <p class="faint">{t.unused}</p>}
          {strings.map((string) => (
            <form class="beside" method="post" action="/account/seats">
              <span>{string}</span>
              <input type="hidden" name="license" value={code} />
              <button class="button small" name="string" value={string}>
                {t.freeSeat} <span class="visually-hidden">{string}</span>
              </button>
            </form>
          ))}
        </>
      ))}
    </section>
  );
}

function Orders({ store, view: { orders } }: Part) {
  const t = accountTexts[store.language];
  return (
    <section class="card stack">
      <h2>{t.orders}</h2>
      {orders.length === 0 && <p>{t.noOrders}</p>}
      <ul class="stack">
        {orders.map(({ id, number, product, status, grand_total, created_at }) => (
          <li>
            <a href={`/account/orders/${id}`}>{number}</a> · {product.title} ·{' '}
            {store.money(grand_total)} · {store.texts.states[status]}{' '}
            <span class="faint">{store.moment(created_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
