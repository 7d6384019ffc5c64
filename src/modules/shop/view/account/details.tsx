/** @jsxImportSource hono/jsx */
import type { UserRow } from '../../../../domain/user/rules.ts';
import { countryCodes } from '../../../../lib/phone.ts';
import { CountrySelect, Field } from '../field.tsx';
import type { StoreView } from '../store.ts';
import { accountTexts } from '../texts/account.ts';
import { type Member, accountFrame } from './frame.tsx';
import { CodeField, formPage } from './sign-in.tsx';

interface DetailsView {
  readonly member: Member;
  readonly user: UserRow['user'];
  readonly said: string | undefined;
  /** True if the member just came by a link. */
  readonly isFresh: boolean;
  /** True if the number can sign the member in. */
  readonly isConfirmed: boolean;
  readonly sendsCodes: boolean;
}

interface Part {
  readonly store: StoreView;
  readonly view: DetailsView;
}

export function detailsPage(store: StoreView, view: DetailsView): string {
  const t = accountTexts[store.language];
  const parts = { store, view };
  const isAffiliate = view.user.roles.includes('affiliate');
  return accountFrame({
    ...{ store, member: view.member, title: t.data, at: '/account/details', said: view.said },
    children: (
      <>
        <Person {...parts} />
        {view.member.actor_id === null && !view.isFresh && <Fresh {...parts} />}
        {view.isFresh && <Email {...parts} />}
        {view.isFresh && isAffiliate && <Bank {...parts} />}
        {view.isFresh && view.sendsCodes && view.user.phone !== '' && <Number {...parts} />}
        <form class="card stack" method="post" action="/account/sign-out">
          <h2>{t.signOut}</h2>
          <p>
            <button class="button">{t.signOut}</button>{' '}
            {view.member.actor_id === null && (
              <button class="button" name="everywhere" value="1">
                {t.signOutAll}
              </button>
            )}
          </p>
        </form>
      </>
    ),
  });
}

function Person({ store, view: { user } }: Part) {
  const t = accountTexts[store.language];
  const input = (name: 'display_name' | 'phone' | 'postal_code', complete: string) => (
    <Field label={t.fields[name]} id={name}>
      <input id={name} name={name} value={user[name]} autocomplete={complete} />
    </Field>
  );
  return (
    <form class="card stack" method="post" action="/account/details">
      {input('display_name', 'name')}
      {input('phone', 'tel')}
      <Field label={t.fields.address} id="address">
        <textarea id="address" name="address" rows={3} autocomplete="street-address">
          {user.address}
        </textarea>
      </Field>
      {input('postal_code', 'postal-code')}
      <Field label={t.fields.country} id="country">
        <CountrySelect
          language={store.language}
          codes={countryCodes()}
          value={user.country}
          required={false}
        />
      </Field>
      <Field label={t.fields.language} id="language">
        <select id="language" name="language">
          {(['', 'en', 'id'] as const).map((code) => (
            <option value={code} selected={code === (user.language ?? '')}>
              {t.languages[code]}
            </option>
          ))}
        </select>
      </Field>
      <button class="button primary">{t.save}</button>
    </form>
  );
}

/** Sends a fresh link, as for signing in. */
function Fresh({ store, view: { user } }: Part) {
  const t = accountTexts[store.language];
  return (
    <form class="card stack" method="post" action="/account/link">
      <h2>{t.freshTitle}</h2>
      <p>
        {t.email}: {user.email}
      </p>
      {user.bank_info !== '' && (
        <p>
          {t.bank}: {user.bank_info}
        </p>
      )}
      <p>{t.freshText}</p>
      <input type="hidden" name="email" value={user.email ?? ''} />
      <button class="button">{t.send}</button>
    </form>
  );
}

function Email({ store, view: { user } }: Part) {
  const t = accountTexts[store.language];
  return (
    <form class="card stack" method="post" action="/account/email">
      <h2>{t.email}</h2>
      <p>{t.emailNow(user.email ?? '')}</p>
      <Field label={t.newEmail} id="email">
        <input id="email" type="email" name="email" required autocomplete="email" />
      </Field>
      <button class="button">{t.sendToNew}</button>
    </form>
  );
}

function Bank({ store, view: { user } }: Part) {
  const t = accountTexts[store.language];
  const input = (name: 'bank_code' | 'bank_name' | 'number' | 'holder') => (
    <Field
      label={t.fields[name]}
      id={name}
      hint={name === 'bank_code' ? t.bankCodeHint : undefined}
    >
      <input
        id={name}
        name={name}
        value={user.bank_account?.[name] ?? ''}
        required
        autocomplete="off"
      />
    </Field>
  );
  return (
    <form class="card stack" method="post" action="/account/bank">
      <h2>{t.bank}</h2>
      <p>{t.bankText}</p>
      {input('bank_name')}
      {input('bank_code')}
      {input('number')}
      {input('holder')}
      <button class="button">{t.saveBank}</button>
    </form>
  );
}

function Number({ store, view: { user, isConfirmed, said } }: Part) {
  const t = accountTexts[store.language];
  const isAsked = said === 'code' || said === 'wrong';
  return (
    <section class="card stack">
      <h2>{t.phone}</h2>
      <p>{isConfirmed ? t.confirmed(user.phone) : t.confirmText(user.phone)}</p>
      {isAsked && (
        <form class="stack" method="post" action="/account/phone/confirm">
          <CodeField label={t.code} />
          <button class="button primary">{t.confirm}</button>
        </form>
      )}
      {!isConfirmed && (
        <form method="post" action="/account/phone">
          <button class="button">{t.sendCode}</button>
        </form>
      )}
    </section>
  );
}

/** @param email undefined if the link is no longer valid */
export function emailPage(store: StoreView, email: string | undefined, link: string): string {
  const t = accountTexts[store.language];
  return formPage(store, {
    ...{ title: t.email, action: '/account/email/confirm' },
    children: (
      <>
        {email === undefined ? (
          <p class="problem">{t.gone}</p>
        ) : (
          <>
            <p>{t.useText(email)}</p>
            <input type="hidden" name="link" value={link} />
            <button class="button primary">{t.use}</button>
          </>
        )}
        <p>
          <a href="/account/details">{t.back}</a>
        </p>
      </>
    ),
  });
}
