/** @jsxImportSource hono/jsx */
import type { PaymentFacts } from '../../../../domain/message/facts.ts';
import { Copy } from '../copy.tsx';
import type { Part } from './view.ts';

/** Asks for the money: at the provider, by transfer or on delivery. */
export const Payment = ({ store, view, payment }: Part & { payment: PaymentFacts }) => {
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
