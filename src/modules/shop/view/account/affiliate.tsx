/** @jsxImportSource hono/jsx */
import type { AffiliateLink, CommissionInfo } from '../../../../domain/affiliate/schemas.ts';
import type { Commission } from '../../../../domain/commission/schemas.ts';
import type { Coupon } from '../../../../domain/coupon/schemas.ts';
import type { Payout } from '../../../../domain/payout/schemas.ts';
import { isSeen } from '../../../../lib/text.ts';
import { Copy } from '../copy.tsx';
import { Field } from '../field.tsx';
import type { StoreView } from '../store.ts';
import { type AffiliateTexts, affiliateTexts } from '../texts/affiliate.ts';
import { type Member, accountFrame } from './frame.tsx';

interface AffiliateView {
  readonly member: Member;
  readonly said: string | undefined;
  readonly isAffiliate: boolean;
  readonly mayJoin: boolean;
  readonly earnings: CommissionInfo;
  readonly products: readonly {
    readonly title: string;
    readonly links: readonly AffiliateLink[];
  }[];
  readonly commissions: readonly Commission[];
  readonly payouts: readonly Payout[];
  readonly coupons: readonly Pick<Coupon, 'code' | 'discount' | 'status' | 'state' | 'usage'>[];
  readonly templates: readonly Pick<Coupon, 'id' | 'code' | 'discount'>[];
}

interface Part {
  readonly store: StoreView;
  readonly view: AffiliateView;
}

export function affiliatePage(store: StoreView, view: AffiliateView): string {
  const t = affiliateTexts[store.language];
  const parts = { store, view };
  return accountFrame({
    ...{ store, member: view.member, title: t.title, at: '/account/affiliate', said: view.said },
    children: (
      <>
        {!view.isAffiliate && <Join {...parts} />}
        {(view.isAffiliate || view.commissions.length > 0) && (
          <>
            <Earnings {...parts} />
            {view.isAffiliate && <Links {...parts} />}
            <Coupons {...parts} />
            <Commissions {...parts} />
            <Payouts {...parts} />
          </>
        )}
      </>
    ),
  });
}

function Join({ store, view: { mayJoin } }: Part) {
  const t = affiliateTexts[store.language];
  return (
    <form class="card stack" method="post" action="/account/affiliate">
      <p>{mayJoin ? t.joinText : t.closed}</p>
      {mayJoin && <button class="button primary">{t.join}</button>}
    </form>
  );
}

function Links({ store, view: { products } }: Part) {
  const t = affiliateTexts[store.language];
  return (
    <section class="card stack">
      <h2>{t.links}</h2>
      <p class="faint">{products.length === 0 ? t.noLinks : t.linksText}</p>
      {products.map(({ title, links }) => (
        <>
          <h3>{title}</h3>
          <ul class="accounts">
            {links.map(({ key, label, affiliate_link, clicks, paid, commission }) => (
              <li>
                <span>
                  {t.pages[key] ?? label}
                  <br />
                  <a href={affiliate_link}>{affiliate_link}</a>
                  <br />
                  <span class="faint">{t.figures(clicks, paid, store.money(commission))}</span>
                </span>
                <Copy store={store} text={affiliate_link} />
              </li>
            ))}
          </ul>
        </>
      ))}
    </section>
  );
}

function Earnings({ store, view: { earnings } }: Part) {
  const t = affiliateTexts[store.language];
  const { payable_commission, held_commission, pending_commission, paid_commission } = earnings;
  const rows = [
    [payable_commission < 0 ? t.owed : t.payable, payable_commission],
    [t.held, held_commission],
    [t.pending, pending_commission],
    [t.paid, paid_commission],
  ] as const;
  return (
    <section class="card stack">
      <h2>{t.earnings}</h2>
      <dl class="facts">
        {rows.map(([label, amount]) => (
          <>
            <dt>{label}</dt>
            <dd>{store.money(amount)}</dd>
          </>
        ))}
      </dl>
      <p class="faint">{isSeen(earnings.bank_info) ? t.bank(earnings.bank_info) : t.noBank}</p>
      <p>
        <a href="/account/details">{t.toBank}</a>
      </p>
    </section>
  );
}

function Coupons(parts: Part) {
  const { store, view } = parts;
  const { coupons, templates } = view;
  const t = affiliateTexts[store.language];
  if (coupons.length + templates.length === 0) return null;
  return (
    <section class="card stack" id="coupons">
      <h2>{t.coupons}</h2>
      {coupons.length > 0 && (
        <ul class="accounts">
          {coupons.map(({ code, discount, status, state, usage }) => (
            <li>
              <span>
                <code>{code}</code>
                <br />
                <span class="faint">
                  {discountOf(store, discount)} · {t.uses(usage)}
                  {state !== 'active' &&
                    ` · ${t.couponStates[status === 'need-approve' ? status : state]}`}
                </span>
              </span>
              <Copy store={store} text={code} />
            </li>
          ))}
        </ul>
      )}
      {templates.length > 0 && <NewCoupon {...parts} />}
    </section>
  );
}

function NewCoupon({ store, view: { said, templates } }: Part) {
  const t = affiliateTexts[store.language];
  return (
    <form class="stack" method="post" action="/account/affiliate/coupons">
      <h3>{t.newCoupon}</h3>
      <Field label={t.template} id="template">
        <select id="template" name="template">
          {templates.map(({ id, code, discount }) => (
            <option value={String(id)}>
              {code}: {discountOf(store, discount)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t.code} id="code" hint={t.codeHint} fault={refusalOf(t, said)}>
        <input id="code" name="code" required minlength={3} maxlength={40} autocomplete="off" />
      </Field>
      <button class="button">{t.make}</button>
    </form>
  );
}

const refusalOf = ({ refusals }: AffiliateTexts, said = '') =>
  Object.hasOwn(refusals, said) ? refusals[said] : undefined;

function discountOf(store: StoreView, { type, value, free_shipping }: Coupon['discount']): string {
  const t = affiliateTexts[store.language];
  const amount = type === 'fixed' ? store.money(value) : percent(value, store);
  return [value > 0 && t.off(amount), free_shipping && t.freeShipping].filter(Boolean).join(' + ');
}

const percent = (value: number, { language }: StoreView) =>
  (value / 100).toLocaleString(language, { style: 'percent', maximumFractionDigits: 4 });

function Commissions({ store, view: { commissions } }: Part) {
  const t = affiliateTexts[store.language];
  if (commissions.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{t.commissions}</h2>
      <ul class="stack">
        {commissions.map(({ commission, tier, state, created_at }) => (
          <li>
            <strong>{store.money(commission)}</strong> · {t.tier(tier)} ·{' '}
            {(commission < 0 && t.takenBack[state]) || t.states[state]}{' '}
            <span class="faint">{store.moment(created_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Payouts({ store, view: { payouts } }: Part) {
  const t = affiliateTexts[store.language];
  if (payouts.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{t.payouts}</h2>
      <ul class="stack">
        {payouts.map(({ amount, status, created_at }) => (
          <li>
            <strong>{store.money(amount)}</strong> · {t.results[status]}{' '}
            <span class="faint">{store.moment(created_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
