import { Link } from 'wouter';
import { useMay } from '../../context/session.ts';
import { Buyer } from '../../parts/buyer.tsx';
import { Money, useMoney } from '../../parts/money.tsx';
import { Facts } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Picture } from './picture.tsx';
import type { ProofProps } from './props.ts';
import { Review } from './review.tsx';
import { texts } from './texts.ts';

export function Proof({ proof, onReviewed }: ProofProps) {
  return (
    <article className="proof">
      <Picture proof={proof} />
      <div className="proof-side">
        <Amounts proof={proof} />
        <Marks proof={proof} />
        <Said proof={proof} />
        {proof.status === 'pending' && <Review proof={proof} {...(onReviewed && { onReviewed })} />}
      </div>
    </article>
  );
}

type Part = Pick<ProofProps, 'proof'>;

function Amounts({ proof: { amount_expected, detail, order } }: Part) {
  const t = useTexts(texts);
  const currency = order ? { currency: order.currency } : {};
  return (
    <dl className="proof-amounts">
      <div>
        <dt>{t.expected}</dt>
        <dd>
          <Money amount={amount_expected} {...currency} />
        </dd>
      </div>
      <div>
        <dt>{t.stated}</dt>
        <dd>{detail.total === null ? '–' : <Money amount={detail.total} {...currency} />}</dd>
      </div>
    </dl>
  );
}

/** Reasons for and against the proof. */
function Marks({ proof }: Part) {
  const t = useTexts(texts);
  const money = useMoney();
  const { amount_expected, amount_matches, detail, order, similar, mutations } = proof;
  const off = (detail.total ?? 0) - amount_expected;
  const by = money(Math.abs(off), order?.currency);
  return (
    <ul className="marks">
      <li>
        {detail.total === null && <Status tone="wait">{t.unstated}</Status>}
        {amount_matches && <Status tone="good">{t.matches}</Status>}
        {detail.total !== null && !amount_matches && (
          <Status tone="bad">{off < 0 ? t.less(by) : t.more(by)}</Status>
        )}
      </li>
      {similar.map(({ id, order_id, order_number }) => (
        <li key={id}>
          <Link href={`/proofs/${id}`}>
            <Status tone="bad">{t.same(order_number ?? `#${order_id}`)}</Status>
          </Link>
        </li>
      ))}
      {mutations?.map(({ id, amount, occurred_at }) => (
        <li key={id}>
          <Status tone="good">{t.bank}</Status>{' '}
          <span className="small faint">
            {money(amount, order?.currency)} · <Time at={occurred_at} as="both" />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Said({ proof: { detail, order, order_id, ...proof } }: Part) {
  const t = useTexts(texts).facts;
  const may = useMay();
  const number = order?.number ?? `#${order_id}`;
  return (
    <Facts
      items={[
        [t.order, may('orders:read') ? <Link href={`/orders/${order_id}`}>{number}</Link> : number],
        [t.buyer, order && <Buyer user={order.user} />],
        [t.product, order?.product.title],
        [t.sender, detail.sender],
        [t.from, [detail.bank_sender, detail.account_number].filter(Boolean).join(' ')],
        [t.to, detail.bank_recipient],
        [t.transferred, proof.transferred_at && <Time at={proof.transferred_at} as="both" />],
        [t.sent, <Time at={proof.created_at} as="both" />],
        [t.note, detail.note],
        [t.reviewed, proof.reviewed_at && <Time at={proof.reviewed_at} as="both" />],
        [t.reason, proof.reject_reason],
      ]}
    />
  );
}
