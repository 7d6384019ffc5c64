/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { Field } from '../field.tsx';
import { pageOf } from '../layout.tsx';
import type { StoreView } from '../store.ts';
import { accountTexts } from '../texts/account.ts';

interface SignIn {
  /** True if the store sends codes by WhatsApp. */
  readonly byCode: boolean;
  /** True after an expired link. */
  readonly isGone?: boolean;
}

/** Asks for an address or a number to send a link or a code to. */
export function signInPage(store: StoreView, { byCode, isGone = false }: SignIn): string {
  const t = accountTexts[store.language];
  return pageOf({
    store,
    title: t.title,
    isPrivate: true,
    children: (
      <div class="narrow">
        <h1>{t.title}</h1>
        {isGone && (
          <p class="problem" role="alert">
            {t.gone}
          </p>
        )}
        <form class="card stack" method="post" action="/account/link">
          <p>{t.signInText}</p>
          <Field label={t.email} id="email">
            <input id="email" type="email" name="email" required autocomplete="email" />
          </Field>
          <button class="button primary">{t.send}</button>
        </form>
        {byCode && (
          <form class="card stack" method="post" action="/account/code">
            <p>{t.codeText}</p>
            <Field label={t.phone} id="phone">
              <input id="phone" type="tel" name="phone" required autocomplete="tel" />
            </Field>
            <button class="button">{t.sendCode}</button>
          </form>
        )}
      </div>
    ),
  });
}

/** Only the button uses the link up: programs that scan mails press no buttons. */
export function enterPage(store: StoreView, name: string, link: string): string {
  const t = accountTexts[store.language];
  return formPage(store, {
    ...{ title: t.title, action: '/account/session' },
    children: (
      <>
        <p>{t.enterText}</p>
        <input type="hidden" name="link" value={link} />
        <button class="button primary">{t.enter(name)}</button>
      </>
    ),
  });
}

export function codePage(store: StoreView, phone: string, isWrong: boolean): string {
  const t = accountTexts[store.language];
  return formPage(store, {
    ...{ title: t.title, action: '/account/code/session' },
    children: (
      <>
        <p>{t.codeSent}</p>
        <input type="hidden" name="phone" value={phone} />
        <CodeField label={t.code} fault={isWrong ? t.said.wrong.text : undefined} />
        <button class="button primary">{t.useCode}</button>
        <p>
          <a href="/account">{t.back}</a>
        </p>
      </>
    ),
  });
}

interface FormPage {
  readonly title: string;
  readonly action: string;
  readonly children: Child;
}

export const formPage = (store: StoreView, { title, action, children }: FormPage): string =>
  pageOf({
    ...{ store, title, isPrivate: true },
    children: (
      <form class="narrow card" method="post" action={action}>
        <h1>{title}</h1>
        {children}
      </form>
    ),
  });

/** Six digits. */
export const CodeField = ({ label, fault }: { label: string; fault?: string | undefined }) => (
  <Field label={label} id="code" fault={fault}>
    <input
      id="code"
      name="code"
      class="short"
      inputmode="numeric"
      autocomplete="one-time-code"
      maxlength={6}
      required
    />
  </Field>
);
