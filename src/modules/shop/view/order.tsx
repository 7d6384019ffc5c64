/** @jsxImportSource hono/jsx */
import type { OrderFacts, PaymentFacts } from '../../../domain/message/facts.ts';
import type { ProductRow } from '../../../domain/product/rules.ts';
import type { OrderColumns } from '../../../schema/orders.ts';
import { Copy } from './copy.tsx';
import { type LinkedFile, Files } from './files.tsx';
import { pageOf } from './layout.tsx';
import type { StoreView } from './store.ts';
import { Lines } from './summary.tsx';

/** The outcome of the form sent from the page. */
export type OrderNotice = 'proof' | 'wrong' | 'busy';

/** Shown to whoever has the order's link. */
export interface OrderView {
  readonly token: string;
  /** False in a store that keeps no files: its buyers report a payment without a picture. */
  readonly takesPictures: boolean;
  /** True if the buyer comes back from the provider's page. */
  readonly returned: boolean;
  readonly order: OrderColumns;
  readonly facts: OrderFacts;
  readonly product: ProductRow['product'];
  /** True if the bank has taken the payment back and nobody has decided what follows. */
  readonly isTakenBack: boolean;
  /** The newest first. */
  readonly refunds: readonly {
    readonly amount: number;
    readonly state: keyof StoreView['texts']['refundStates'];
  }[];
  /** As the buyer wrote it. */
  readonly buyer: string;
  readonly reported: string | undefined;
  /** Empty if the seller gave none. */
  readonly rejectReason: string;
  readonly hasAccess: boolean;
  readonly files: readonly LinkedFile[];
}

interface Part {
  readonly store: StoreView;
  readonly view: OrderView;
}

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

const Payment = ({ store, view, payment }: Part & { payment: PaymentFacts }) => {
  const { texts, money, digits, moment } = store;
  const { token, order } = view;
  return (
    <section class="card stack" data-waits>
      {payment.type === 'cod' && <p>{texts.onDelivery(money(payment.due))}</p>}
      {payment.type === 'redirect' && <Provider store={store} view={view} payment={payment} />}
      {payment.type === 'manual' && (
        <>
          <h2>{texts.payExactly}</h2>
          <p class="amount">
            <strong>{money(payment.due)}</strong> <Copy store={store} text={digits(payment.due)} />
          </p>
          {payment.exact && <p class="faint small">{texts.exactWhy}</p>}
          <h2>{payment.accounts.length > 0 ? texts.toAccount : texts.askForAccount}</h2>
          <ul class="accounts">
            {payment.accounts.map(({ bank, account_number, owner, info }) => (
              <li>
                <span>
                  {bank}
                  <br />
                  <strong class="money">{account_number}</strong>
                  <br />
                  {owner}
                  {info && <span class="faint small"> {info}</span>}
                </span>
                <Copy store={store} text={account_number} />
              </li>
            ))}
          </ul>
          <p>
            {texts.reference}: <strong>{order.number}</strong>
          </p>
          <Report store={store} view={view} />
        </>
      )}
      {payment.before && !payment.isPending && <p>{texts.payBefore(moment(payment.before))}</p>}
      {payment.type === 'redirect' && payment.url !== null ? (
        <form
          method="post"
          action={`/order/${token}/pay`}
          data-returned={view.returned || undefined}
        >
          <button class="button" name="look" value="1">
            {texts.checkAgain}
          </button>
        </form>
      ) : (
        payment.type !== 'cod' && (
          <p>
            <a href={`/order/${token}`}>{texts.checkAgain}</a>
          </p>
        )
      )}
    </section>
  );
};

/** The form by which a buyer says that they have paid. */
const Report = ({ store: { texts }, view: { token, takesPictures, reported } }: Part) =>
  (takesPictures || reported !== 'pending') && (
    <>
      <h2>{texts.proofTitle}</h2>
      <form
        method="post"
        action={`/order/${token}/proof`}
        enctype="multipart/form-data"
        class="stack"
      >
        {takesPictures ? (
          <div class="field">
            <label for="file">{texts.proofFile}</label>
            <input
              id="file"
              type="file"
              name="file"
              accept="image/jpeg,image/png,image/gif,image/webp"
              required
            />
            <p class="faint small">{texts.proofHint}</p>
          </div>
        ) : (
          <>
            <input type="hidden" name="paid" value="1" />
            <p class="faint small">{texts.reportHint}</p>
          </>
        )}
        <button class="button primary">{takesPictures ? texts.sendProof : texts.reportPaid}</button>
      </form>
    </>
  );

const Provider = ({ store, view, payment }: Part & { payment: PaymentFacts }) => {
  const { texts, money } = store;
  const { url, title, due, isPending } = payment;
  if (view.order.status === 'payment-confirm') return <p>{texts.inReview}</p>;
  if (url !== null && isPending) {
    return (
      <>
        <p>{texts.providerPending}</p>
        <a href={url} target="_top" rel="noreferrer">
          {texts.pageAgain}
        </a>
      </>
    );
  }
  return (
    <>
      {view.returned && url !== null && <p class="note">{texts.providerWaits}</p>}
      <p class="amount">
        <strong>{money(due)}</strong>
      </p>
      {url === null ? (
        <form method="post" action={`/order/${view.token}/pay`}>
          <button class="button primary">{texts.payWith(title)}</button>
        </form>
      ) : (
        <>
          {!view.returned && <p>{texts.providerReady}</p>}
          <a
            class={view.returned ? 'button' : 'button primary'}
            href={url}
            target="_top"
            rel="noreferrer"
          >
            {texts.toProvider(title)}
          </a>
        </>
      )}
    </>
  );
};

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

/** Links to the product of a cancelled order. */
const Cancelled = ({ store: { texts }, view: { order, product } }: Part) => {
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
