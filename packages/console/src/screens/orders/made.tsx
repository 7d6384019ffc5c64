import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Order } from '../../api/generated.ts';
import { type Scope, useMay } from '../../context/session.ts';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { messageTitle, messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { PaidByHand, refundTone } from './refunds.tsx';
import { texts } from './texts.ts';

interface Entry {
  readonly id: number;
  readonly what: ReactNode;
  readonly state: string;
  readonly tone: Tone;
  readonly at: string;
}

type Name = keyof (typeof texts)['en']['parts'];

/** The records that an order made: each kind that exists, if the account may see it. */
export function Made({ order }: { readonly order: Order }) {
  return (
    <>
      <Part name="confirmations" scope="confirmations:read" order={order} read={useProofs()} />
      <Part name="refunds" scope="orders:read" order={order} read={useRefunds()} />
      <Part name="commissions" scope="commissions:read" order={order} read={useCommissions()} />
      <Part name="access" scope="access:read" order={order} read={useAccess()} />
      <Part name="licenses" scope="licenses:read" order={order} read={useLicenses()} />
      <Part name="messages" scope="messages:read" order={order} read={useMessages()} />
    </>
  );
}

type Read = (order: Order, options: { readonly signal: AbortSignal }) => Promise<readonly Entry[]>;

interface PartProps {
  readonly name: Name;
  readonly scope: Scope;
  readonly order: Order;
  readonly read: Read;
}

function Part({ name, scope, order, read }: PartProps) {
  const t = useTexts(texts).parts;
  const may = useMay();
  const { data = [] } = useQuery({
    queryKey: ['orders', order.id, name, order.version, t[name]],
    queryFn: ({ signal }) => read(order, { signal }),
    enabled: may(scope),
  });
  if (data.length === 0) return null;
  return (
    <Section title={t[name]}>
      <ul className="entries">
        {data.map(({ id, what, state, tone, at }) => (
          <li key={id}>
            <span className="entry-what">{what}</span>
            <Status tone={tone}>{state}</Status>
            <span className="faint small">
              <Time at={at} as="distance" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function useProofs(): Read {
  const { states, review, unstated } = useTexts(texts);
  const tones = {
    pending: 'wait',
    approved: 'good',
    rejected: 'bad',
    superseded: 'neutral',
  } as const;
  return async ({ id, currency }, options) =>
    (await api.orders.confirmations(id, options)).data.map((each) => ({
      id: each.id,
      what: (
        <>
          {each.detail.total === null ? (
            unstated
          ) : (
            <Money amount={each.detail.total} currency={currency} />
          )}{' '}
          {each.status === 'pending' && <Link href={`/proofs/${each.id}`}>{review}</Link>}
        </>
      ),
      state: states.confirmation[each.status],
      tone: tones[each.status],
      at: each.created_at,
    }));
}

function useRefunds(): Read {
  const { states } = useTexts(texts);
  return async ({ id }, options) =>
    (await api.refunds.list(id, options)).data.map((refund) => ({
      id: refund.id,
      what: (
        <>
          <Money amount={refund.amount} currency={refund.currency} />{' '}
          <span className="faint">{refund.reason}</span> <PaidByHand refund={refund} />
        </>
      ),
      state: states.refund[refund.state],
      tone: refundTone(refund.state),
      at: refund.created_at,
    }));
}

function useCommissions(): Read {
  const { states, tier } = useTexts(texts);
  const tones = {
    pending: 'neutral',
    held: 'wait',
    payable: 'active',
    paid: 'good',
    cancelled: 'neutral',
  } as const;
  return async ({ id }, options) =>
    (await api.commissions.list({ order_id: id, per_page: 100 }, options)).data.map((each) => ({
      id: each.id,
      what: (
        <>
          <Money amount={each.commission} currency={each.currency} />{' '}
          <span className="faint">{tier(each.tier)}</span>
        </>
      ),
      state: states.commission[each.state],
      tone: tones[each.state],
      at: each.created_at,
    }));
}

/** Grants are listed by their user and product. */
function useAccess(): Read {
  const { states } = useTexts(texts);
  const tones = { pending: 'neutral', active: 'good', expired: 'neutral', revoked: 'bad' } as const;
  return async ({ id, user_id, product_id }, options) => {
    const { data } = await api.access.list({ user_id, product_id, per_page: 100 }, options);
    return data
      .filter(({ order_id }) => order_id === id)
      .map((grant) => ({
        id: grant.id,
        what: grant.product_name,
        state: states.access[grant.status],
        tone: tones[grant.status],
        at: grant.created_at,
      }));
  };
}

function useLicenses(): Read {
  const { states, seats } = useTexts(texts);
  const tones = { pending: 'neutral', active: 'good', inactive: 'bad' } as const;
  return async ({ id }, options) =>
    (await api.licenses.list({ order_id: id, per_page: 100 }, options)).data.map((license) => ({
      id: license.id,
      what: (
        <>
          <code>{license.code}</code>{' '}
          <span className="faint">{seats(license.activation_count, license.activation_limit)}</span>
        </>
      ),
      state: states.license[license.status],
      tone: tones[license.status],
      at: license.created_at,
    }));
}

function useMessages(): Read {
  const words = useTexts(messageWords);
  return async ({ id }, options) =>
    (await api.messages.list({ order_id: id, per_page: 100 }, options)).data.map((message) => ({
      id: message.id,
      what: (
        <>
          {messageTitle(message, words.kinds)} <span className="faint">{message.recipient}</span>
        </>
      ),
      state: words.statuses[message.status],
      tone: message.status === 'failed' ? 'bad' : 'neutral',
      at: message.created_at,
    }));
}
