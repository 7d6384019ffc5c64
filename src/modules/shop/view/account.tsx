/** @jsxImportSource hono/jsx */
import type { Order } from '../../../domain/order/schemas.ts';
import type { Subscription } from '../../../domain/subscription/schemas.ts';
import { pageOf } from './layout.tsx';
import type { StoreView } from './store.ts';
import { accountTexts } from './texts/account.ts';

/** A licence with its whole code, as its owner sees it. */
interface OwnLicense {
  readonly code: string;
  readonly product: { readonly title: string };
  readonly strings: readonly string[];
}

/** A product that a member has access to, with its downloads. */
interface OwnProduct {
  readonly product_id: number;
  readonly name: string;
  readonly end_active: string | null;
  readonly files: readonly {
    readonly name: string;
    readonly release: string;
    readonly url: string;
  }[];
}

/** The account page of a member. */
export interface AccountView {
  readonly name: string;
  readonly email: string;
  readonly orders: readonly Order[];
  readonly products: readonly OwnProduct[];
  readonly licences: readonly OwnLicense[];
  readonly subscriptions: readonly Subscription[];
  /** True if members may cancel subscriptions. */
  readonly mayCancel: boolean;
}

interface Part {
  readonly store: StoreView;
  readonly view: AccountView;
}

/** The page that asks for an e-mail address to send a link to. @param isGone true after an expired link */
export function signInPage(store: StoreView, isGone: boolean): string {
  const t = accountTexts[store.language];
  return pageOf({
    store,
    title: t.title,
    isPrivate: true,
    children: (
      <form class="narrow card" method="post" action="/account/link">
        <h1>{t.title}</h1>
        {isGone && (
          <p class="problem" role="alert">
            {t.gone}
          </p>
        )}
        <p>{t.signInText}</p>
        <label>
          {t.email} <input class="input" type="email" name="email" required autocomplete="email" />
        </label>
        <button class="button">{t.send}</button>
      </form>
    ),
  });
}

/** The page behind a link. Only its button uses the link up: programs that scan mails press no buttons. */
export function enterPage(store: StoreView, name: string, link: string): string {
  const t = accountTexts[store.language];
  return pageOf({
    store,
    title: t.title,
    isPrivate: true,
    children: (
      <form class="narrow card" method="post" action="/account/session">
        <h1>{t.title}</h1>
        <p>{t.enterText}</p>
        <input type="hidden" name="link" value={link} />
        <button class="button">{t.enter(name)}</button>
      </form>
    ),
  });
}

export function accountPage(store: StoreView, view: AccountView): string {
  const t = accountTexts[store.language];
  const parts = { store, view };
  return pageOf({
    store,
    title: t.title,
    isPrivate: true,
    children: (
      <div class="narrow">
        <h1>{t.title}</h1>
        <Products {...parts} />
        <Subscriptions {...parts} />
        <Licences {...parts} />
        <Orders {...parts} />
        <section class="card">
          <h2>{t.data}</h2>
          <p>
            {t.name}: {view.name}
            <br />
            {t.email}: {view.email}
          </p>
          <form method="post" action="/account/sign-out">
            <button class="button">{t.signOut}</button>{' '}
            <button class="button" name="everywhere" value="1">
              {t.signOutAll}
            </button>
          </form>
        </section>
      </div>
    ),
  });
}

function Products({ store, view: { products } }: Part) {
  const t = accountTexts[store.language];
  if (products.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.access}</h2>
      {products.map(({ name, end_active, files }) => (
        <>
          <h3>{name}</h3>
          {end_active && <p class="faint">{t.until(store.moment(end_active))}</p>}
          {files.length > 0 && (
            <ul aria-label={`${t.files}: ${name}`}>
              {files.map((file) => (
                <li>
                  <a href={file.url}>{file.name}</a> <span class="faint">{file.release}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      ))}
    </section>
  );
}

function Subscriptions({ store, view: { subscriptions, mayCancel } }: Part) {
  const t = accountTexts[store.language];
  if (subscriptions.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.subscriptions}</h2>
      {subscriptions.map(({ id, product_name, status, end_date, scheduled }) => {
        const isCancelled = scheduled.some(({ change }) => change === 'cancel');
        return (
          <form
            method="post"
            action={`/account/subscriptions/${id}/${isCancelled ? 'resume' : 'cancel'}`}
          >
            <h3>{product_name}</h3>
            {end_date && <p class="faint">{t.until(store.moment(end_date))}</p>}
            {isCancelled && <p class="note">{t.endsThen}</p>}
            {mayCancel && status === 'active' && (
              <button class="button">
                {isCancelled ? t.resume(product_name) : t.cancel(product_name)}
              </button>
            )}
          </form>
        );
      })}
    </section>
  );
}

function Licences({ store, view: { licences } }: Part) {
  const t = accountTexts[store.language];
  if (licences.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.licences}</h2>
      {licences.map(({ code, product, strings }) => (
        <p>
          {product.title}: <code>{code}</code>
          <br />
          <span class="faint">
            {t.machines}: {strings.join(', ') || t.nowhere}
          </span>
        </p>
      ))}
    </section>
  );
}

function Orders({ store, view: { orders } }: Part) {
  const t = accountTexts[store.language];
  return (
    <section class="card">
      <h2>{t.orders}</h2>
      {orders.length === 0 && <p>{t.noOrders}</p>}
      <ul>
        {orders.map(({ number, product, status, grand_total, created_at }) => (
          <li>
            {number} · {product.title} · {store.money(grand_total)} · {t.states[status]}{' '}
            <span class="faint">{store.moment(created_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
