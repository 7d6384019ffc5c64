/** @jsxImportSource hono/jsx */
import type { OrderFacts } from '../../../../domain/message/facts.ts';
import { Files } from '../files.tsx';
import { pageOf } from '../layout.tsx';
import type { StoreView } from '../store.ts';
import { Lines } from '../summary.tsx';
import { Payment } from './payment.tsx';
import type { OrderView, Part } from './view.ts';

/** The outcome of the form sent from the page. */
export type OrderNotice = 'proof' | 'wrong' | 'busy';

export function orderPage(
  store: StoreView,
  view: OrderView,
  notice: OrderNotice | undefined,
): string {
  const { texts } = store;
  const { order, facts, hasAccess, reported } = view;
  const { payment } = facts;
  const isPending = reported === 'pending';
  return pageOf({
    store,
    title: `${texts.order} ${order.number}`,
    isPrivate: true,
    children: (
      <div
        class="narrow"
        id="order"
        data-status={[order.status, reported, payment?.isPending, payment?.url].join(' ')}
      >
        <h1>
          {texts.order} {order.number}
        </h1>
        <p>
          <span class="badge" role="status">
            {texts.states[order.status]}
          </span>
        </p>
        {notice === 'wrong' && (
          <p class="problem" role="alert">
            {texts.proofWrong}
          </p>
        )}
        {notice === 'busy' && (
          <p class="problem" role="alert">
            {texts.providerBusy}
          </p>
        )}
        {isPending && (
          <p class="done">{view.takesPictures ? texts.proofSent : texts.paymentReported}</p>
        )}
        {reported === 'rejected' && payment && (
          <p class="problem">
            {view.takesPictures ? texts.proofRejected : texts.reportRejected}
            {view.rejectReason && ` ${texts.rejectedFor(view.rejectReason)}`}
          </p>
        )}
        {payment && <Payment store={store} view={view} payment={payment} />}
        {view.isTakenBack && <p class="problem">{texts.takenBack}</p>}
        {order.paid_at !== null && order.grand_total > 0 && hasAccess && !view.isTakenBack && (
          <p class="done">{texts.thanks}</p>
        )}
        {hasAccess && <Goods store={store} view={view} />}
        {facts.shipping && facts.shipping.tracking_number !== '' && (
          <Parcel store={store} shipping={facts.shipping} />
        )}
        {order.status === 'cancelled' && <Cancelled store={store} view={view} />}
        {view.refunds.length > 0 && <Refunds store={store} view={view} />}
        <Receipt store={store} view={view} />
        <p class="faint small">{texts.keepLink}</p>
      </div>
    ),
  });
}

const Refunds = ({ store: { texts, money }, view: { refunds } }: Part) => (
  <section class="card stack">
    <h2>{texts.refundedTotal}</h2>
    <ul class="stack">
      {refunds.map(({ amount, state }) => (
        <li>
          {money(amount)}: {texts.refundStates[state]}
        </li>
      ))}
    </ul>
  </section>
);

const Goods = ({ store: { texts }, view: { facts, files } }: Part) => (
  <>
    {files.length > 0 && (
      <section class="card stack">
        <h2>{texts.files}</h2>
        <Files label={texts.files} files={files} />
      </section>
    )}
    {facts.access.shown.length > 0 && (
      <section class="card stack">
        <h2>{texts.yourAccess}</h2>
        <ul class="stack">
          {facts.access.shown.map(({ title, url }) => (
            <li>
              {url ? (
                <a href={url} target="_top">
                  {title}
                </a>
              ) : (
                title
              )}
            </li>
          ))}
        </ul>
        {facts.access.left > 0 && <p class="faint">{texts.more(facts.access.left)}</p>}
      </section>
    )}
    {facts.licenses.shown.length > 0 && (
      <section class="card stack">
        <h2>{texts.yourLicences}</h2>
        <ul class="stack">
          {facts.licenses.shown.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        {facts.licenses.left > 0 && <p class="faint">{texts.more(facts.licenses.left)}</p>}
      </section>
    )}
  </>
);

interface ParcelProps {
  readonly store: StoreView;
  readonly shipping: NonNullable<OrderFacts['shipping']>;
}

const Parcel = ({ store: { texts }, shipping }: ParcelProps) => (
  <section class="card stack">
    <h2>{texts.parcel}</h2>
    <p>
      {shipping.courier} <strong>{shipping.tracking_number}</strong>
    </p>
    {shipping.tracking_url && (
      <a href={shipping.tracking_url} target="_top">
        {texts.track}
      </a>
    )}
  </section>
);

/** Links to the product of a cancelled order, or of a renewal to the account, where the subscription goes on. */
const Cancelled = ({ store: { texts }, view: { order, product } }: Part) => {
  if (order.order_parent_id !== null) {
    return (
      <section class="card stack">
        <p>{texts.renewalCancelled}</p>
        <a class="button" href="/account">
          {texts.toAccountPage}
        </a>
      </section>
    );
  }
  const query = new URLSearchParams();
  for (const { option_id } of order.variants) query.append('variant', option_id);
  if (order.quantity > 1) query.set('quantity', String(order.quantity));
  if (order.coupon_code) query.set('coupon', order.coupon_code);
  return (
    <section class="card stack">
      <p>{texts.wasCancelled}</p>
      <a class="button" href={`/checkout/${encodeURIComponent(product.slug)}?${String(query)}`}>
        {texts.orderAgain}
      </a>
    </section>
  );
};

const Receipt = ({ store, view: { order, facts, buyer } }: Part) => {
  const { texts, moment, money } = store;
  const name = [facts.product, ...order.variants.map(({ label }) => label)].join(', ');
  const lines = [
    { kind: 'product', label: `${order.quantity} × ${name}`, amount: order.subtotal },
    { kind: 'variant', label: '', amount: order.variant_total },
    { kind: 'signup', label: '', amount: order.signup_fee },
    { kind: 'discount', label: order.coupon_code ?? '', amount: -order.discount_total },
    { kind: 'shipping', label: '', amount: order.shipping_total },
    { kind: 'fee', label: '', amount: order.fee_total },
    { kind: 'tax', label: '', amount: order.tax_total },
    { kind: 'code', label: '', amount: order.unique_code },
    { kind: 'adjustment', label: '', amount: order.adjustment_total },
  ] as const;
  return (
    <section class="card stack">
      <h2>{order.paid_at === null ? texts.yourOrder : texts.receipt}</h2>
      <Lines
        store={store}
        lines={lines.filter(({ kind, amount }) => kind === 'product' || amount !== 0)}
        total={order.grand_total}
      />
      <dl class="facts">
        <dt>{texts.buyer}</dt>
        <dd>{buyer}</dd>
        <dt>{texts.placedAt}</dt>
        <dd>{moment(order.created_at)}</dd>
        {order.paid_at !== null && (
          <>
            <dt>{texts.paidAt}</dt>
            <dd>{moment(order.paid_at)}</dd>
          </>
        )}
        {order.paid_at !== null && order.refunded_total > 0 && (
          <>
            <dt>{texts.refundedTotal}</dt>
            <dd>{money(order.refunded_total)}</dd>
            <dt>{texts.remainingTotal}</dt>
            <dd>{money(order.grand_total - order.refunded_total)}</dd>
          </>
        )}
      </dl>
      {order.paid_at !== null && <p class="faint small unprinted">{texts.printHint}</p>}
    </section>
  );
};
