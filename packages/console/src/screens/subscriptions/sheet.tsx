import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { StoreSubscription, StoreSubscriptionWithChain } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { useNeighbours } from '../../parts/data-table.tsx';
import { Money } from '../../parts/money.tsx';
import { OrderState } from '../../parts/order-status.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { SubscriptionState } from '../../parts/subscription-status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Actions } from './actions.tsx';
import { End, ToCome, usePaid } from './state.tsx';
import { texts } from './texts.ts';

interface SubscriptionSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly StoreSubscription[];
  readonly hrefOf: (subscription: StoreSubscription) => string;
  readonly state: ListState;
}

export function SubscriptionSheet({ id, rows, hrefOf, state }: SubscriptionSheetProps) {
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const listed = rows.find((row) => row.id === id);
  const query = useQuery({
    queryKey: ['subscriptions', id],
    queryFn: async ({ signal }) => (await api.subscriptions.get(id, { signal })).data,
  });
  const { data } = query;
  const known = data ?? listed;
  return (
    <Sheet
      title={known?.user.display_name}
      query={query}
      aside={known && <SubscriptionState status={known.status} />}
      onClose={() => navigate(`/subscriptions${state.query()}`)}
      {...neighbours}
      actions={data && <Actions subscription={data} />}
    >
      {known && <About subscription={known} />}
      {data && <Chain subscription={data} />}
    </Sheet>
  );
}

function About({ subscription }: { readonly subscription: StoreSubscription }) {
  const { facts: t } = useTexts(texts);
  const may = useMay();
  const paidOf = usePaid();
  const { user, product_id, product_name, start, note, renewable, renew_price } = subscription;
  const { paused_at, resumes_at, next_due, cancelled_at, cancel_reason } = subscription;
  return (
    <Facts
      items={[
        [
          t.user,
          may('users:read') ? (
            <Link href={`/customers/${user.id}`}>{user.display_name}</Link>
          ) : (
            user.display_name
          ),
        ],
        [
          t.product,
          may('products:read') ? (
            <Link href={`/products/${product_id}`}>{product_name}</Link>
          ) : (
            product_name
          ),
        ],
        [t.since, start && <Time at={start} />],
        [t.ends, <End subscription={subscription} as="both" />],
        [t.plan, paidOf(subscription)],
        [t.due, next_due && <Time at={next_due} as="both" />],
        [t.price, renewable && <Money amount={renew_price} />],
        [t.paused, paused_at && <Time at={paused_at} as="both" />],
        [t.resumes, resumes_at && <Time at={resumes_at} as="both" />],
        [t.cancelled, cancelled_at && <Time at={cancelled_at} as="both" />],
        [t.reason, cancel_reason],
        [t.scheduled, subscription.scheduled.length > 0 && <ToCome subscription={subscription} />],
        [t.note, note],
      ]}
    />
  );
}

/** The orders of a subscription, the time that each pays for, and its pauses. */
function Chain({ subscription }: { readonly subscription: StoreSubscriptionWithChain }) {
  const t = useTexts(texts);
  const may = useMay();
  const { orders, terms, pauses } = subscription;
  return (
    <>
      <Section title={t.orders}>
        <ul className="entries">
          {orders.map(({ id, number, status, grand_total, currency }) => {
            const term = terms.find(({ order_id }) => order_id === id);
            return (
              <li key={id}>
                <span className="entry-what">
                  {may('orders:read') ? <Link href={`/orders/${id}`}>{number}</Link> : number}{' '}
                  {term && (
                    <span className="faint">
                      {t.terms[term.period](term.duration)}
                      {term.type === 'subscription-tryout' && ` (${t.trial})`}
                      {', '}
                      {term.activated_at ? (
                        <>
                          {t.since} <Time at={term.activated_at} />
                        </>
                      ) : (
                        t.uncounted
                      )}
                    </span>
                  )}
                </span>
                <Money amount={grand_total} currency={currency} />
                <OrderState status={status} />
              </li>
            );
          })}
        </ul>
      </Section>
      {pauses.length > 0 && (
        <Section title={t.pauses}>
          <ul className="entries">
            {pauses.map(({ at, resumed_at }) => (
              <li key={at}>
                <span className="entry-what">
                  {t.pauseFrom} <Time at={at} />{' '}
                  {resumed_at ? (
                    <>
                      {t.pauseTo} <Time at={resumed_at} />
                    </>
                  ) : (
                    t.stillPaused
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
