/** @jsxImportSource hono/jsx */
import { type RenewalOffer, choiceOf } from '../../../../domain/checkout/renewal.ts';
import type { Order } from '../../../../domain/order/schemas.ts';
import { isComplete } from '../../../../domain/subscription/rules.ts';
import type { Subscription } from '../../../../domain/subscription/schemas.ts';
import { openStatuses } from '../../../../schema/lists.ts';
import { Field } from '../field.tsx';
import type { StoreView } from '../store.ts';
import { accountTexts } from '../texts/account.ts';
import { type Member, accountFrame } from './frame.tsx';

interface SubscriptionView {
  readonly member: Member;
  readonly subscription: Subscription;
  readonly orders: readonly Pick<
    Order,
    'id' | 'number' | 'status' | 'grand_total' | 'created_at'
  >[];
  /** Undefined if the product was deleted. */
  readonly offer: RenewalOffer | undefined;
  readonly mayCancel: boolean;
  readonly said: string | undefined;
}

interface Part {
  readonly store: StoreView;
  readonly view: SubscriptionView;
}

export function subscriptionPage(store: StoreView, view: SubscriptionView): string {
  const t = accountTexts[store.language];
  const { member, said, orders } = view;
  const { product_name, status, end_date, payments, paid, next_due } = view.subscription;
  return accountFrame({
    ...{ store, member, title: product_name, at: '', said },
    children: (
      <>
        <section class="card stack">
          <p>
            <span class="badge">{t.running[status]}</span>
          </p>
          {end_date && status === 'active' && <p>{t.ends(store.moment(end_date))}</p>}
          {end_date && (status === 'expired' || status === 'cancelled') && (
            <p>{t.ended(store.moment(end_date))}</p>
          )}
          {payments !== null && <p>{t.paidOf(paid ?? 0, payments)}</p>}
          {next_due && <p>{t.nextDue(store.moment(next_due))}</p>}
        </section>
        <Payment store={store} view={view} />
        {view.mayCancel && <End store={store} view={view} />}
        <section class="card stack">
          <h2>{t.orders}</h2>
          <ul class="stack">
            {orders.map(({ id, number, status: state, grand_total, created_at }) => (
              <li>
                <a href={`/account/orders/${id}`}>{number}</a> · {store.money(grand_total)} ·{' '}
                {store.texts.states[state]} <span class="faint">{store.moment(created_at)}</span>
              </li>
            ))}
          </ul>
        </section>
      </>
    ),
  });
}

/** Shows the order that is open, or the way to place one. */
function Payment({ store, view: { subscription, orders, offer } }: Part) {
  const t = accountTexts[store.language];
  const { id, status, renewable, end_date, payments } = subscription;
  const open = orders.find(
    ({ id: order_id, status: state }) =>
      order_id !== (subscription.order_parent_id ?? subscription.order_id) &&
      openStatuses.some((open) => open === state),
  );
  if (open) {
    return (
      <section class="card stack">
        <h2>{t.payNext}</h2>
        <p>{t.waits}</p>
        <a class="button primary" href={`/account/orders/${open.id}`}>
          {t.toOrder(open.number)}
        </a>
      </section>
    );
  }
  if (!renewable) return null;
  const ways = offer?.ways ?? [];
  const [first] = ways;
  if (!offer || offer.isStranded || !first) {
    return (
      <section class="card stack">
        <h2>{t.payNext}</h2>
        <p>{(offer?.isStranded && t.stranded) || (offer?.isEarly && t.early) || t.unrenewable}</p>
      </section>
    );
  }
  return (
    <form class="card stack" method="post" action={`/account/subscriptions/${id}/renew`}>
      <h2>{t.payNext}</h2>
      <p>
        {payments === null
          ? t.renewing(
              store.money(first.total),
              store.texts.span(offer.length.duration, offer.length.period),
              status === 'active' && end_date ? store.moment(end_date) : null,
            )
          : t.instalment(store.money(first.total))}
      </p>
      <input type="hidden" name="last" value={subscription.order_id} />
      <input type="hidden" name="terms" value={offer.terms} />
      {ways.length > 1 ? (
        <Field label={store.texts.payBy} id="pay">
          <select id="pay" name="pay">
            {ways.map((way) => (
              <option value={choiceOf(way)}>
                {store.texts.gateways[way.id] ?? way.title}
                {way.total !== first.total && ` · ${store.money(way.total)}`}
              </option>
            ))}
          </select>
        </Field>
      ) : (
        <input type="hidden" name="pay" value={choiceOf(first)} />
      )}
      <button class="button primary">{t.renew}</button>
    </form>
  );
}

function End({ store, view: { subscription } }: Part) {
  const t = accountTexts[store.language];
  const { id, status, scheduled, product_name, end_date } = subscription;
  const cancelled = scheduled.find(({ change }) => change === 'cancel');
  const path = `/account/subscriptions/${id}`;
  if (cancelled?.by === 'member') {
    return (
      <form class="card stack" method="post" action={`${path}/resume`}>
        <h2>{t.keepIt}</h2>
        <p>{t.resuming}</p>
        <button class="button">{t.resume(product_name)}</button>
      </form>
    );
  }
  if (cancelled || isComplete(subscription) || (status !== 'active' && status !== 'paused'))
    return null;
  return (
    <form class="card stack" method="post" action={`${path}/cancel`}>
      <h2>{t.cancelIt}</h2>
      <p>{t.cancelling(end_date && store.moment(end_date))}</p>
      <button class="button">{t.cancel(product_name)}</button>
    </form>
  );
}
