import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { TreeUser } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useMoney } from '../../parts/money.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface Of {
  readonly id: number;
}

const isPerson = (user: TreeUser | number): user is TreeUser => typeof user !== 'number';

/** A person in the tree: the people above, and the levels below, each opened by a click. */
export function Branch({ id }: Of) {
  const t = useTexts(texts);
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['users', id],
    queryFn: async ({ signal }) => (await api.users.get(id, { signal })).data,
  });
  const actions = (
    <>
      <Link className="button plain" href="/tree">
        {t.whole}
      </Link>
      {may('orders:read') && (
        <Link className="button plain" href={`/orders?affiliate_id=${id}`}>
          {t.orders}
        </Link>
      )}
      {may('affiliates:read') && (
        <Link className="button plain" href={`/affiliates/figures/${id}`}>
          {t.figures}
        </Link>
      )}
      <Link className="button plain" href={`/customers/${id}`}>
        {t.customer}
      </Link>
    </>
  );
  return (
    <Page
      title={data?.display_name ?? t.title}
      lead={data && [data.email, data.phone].filter(Boolean).join(' · ')}
      actions={actions}
    >
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {!error && (
        <>
          <Section title={t.path}>
            <Path id={id} />
          </Section>
          {may('affiliates:read') && <Earnings id={id} />}
          <Section title={t.below}>
            <Level id={id} />
          </Section>
        </>
      )}
    </Page>
  );
}

/** The people above, the topmost first. */
function Path({ id }: Of) {
  const t = useTexts(texts);
  const { data } = useQuery({
    queryKey: ['users', id, 'path'],
    queryFn: async ({ signal }) => (await api.users.uplines(id, { limit: 50 }, { signal })).data,
  });
  const people = data?.filter((each) => isPerson(each)).toReversed() ?? [];
  if (people.length === 0) return <p className="faint">{data && t.top}</p>;
  return (
    <ol className="way-up">
      {people.map((person) => (
        <li key={person.id}>
          <Link href={`/tree/${person.id}`}>{person.display_name}</Link>
        </li>
      ))}
    </ol>
  );
}

/**
 * A person's commission from their own sales and from those of all people below. There is no sum
 * for the whole branch: the database would have to walk all of it.
 */
function Earnings({ id }: Of) {
  const t = useTexts(texts).earned;
  const money = useMoney();
  const locale = useLocale();
  const { data } = useQuery({
    queryKey: ['affiliates', id, 'commission-info'],
    queryFn: async ({ signal }) => (await api.affiliates.commissionInfo(id, {}, { signal })).data,
  });
  return (
    <Section title={t.title}>
      {data?.orders === 0 && <p className="faint">{t.nothing}</p>}
      {data && data.orders > 0 && (
        <>
          <p className="hint">{t.hint}</p>
          <Facts
            items={[
              [t.orders, data.orders.toLocaleString(locale)],
              [t.pending, money(data.pending_commission)],
              [t.unpaid, money(data.unpaid_commission)],
              [t.paid, money(data.paid_commission)],
              [t.total, money(data.total_commission)],
            ]}
          />
        </>
      )}
    </Section>
  );
}

const atOnce = 50;

/** The people directly below a person. */
function Level({ id }: Of) {
  const t = useTexts(texts);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey: ['users', id, 'level'],
      queryFn: ({ signal, pageParam }) =>
        api.users.downlines(id, { limit: 1, per_page: atOnce, cursor: pageParam }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.next_cursor,
    },
  );
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const people = data.pages.flatMap((page) => page.data.filter((each) => isPerson(each)));
  if (people.length === 0) return <p className="faint">{t.nobody}</p>;
  return (
    <>
      <ul className="level">
        {people.map((person) => (
          <Person key={person.id} person={person} />
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </>
  );
}

function Person({ person }: { readonly person: TreeUser }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const { id, display_name, direct_count, joined_at } = person;
  const count = t.people(direct_count);
  return (
    <li>
      <div className="level-person">
        <Link href={`/tree/${id}`}>{display_name}</Link>
        <span className="faint small">
          <Time at={joined_at} as="distance" />
        </span>
        {direct_count > 0 && (
          <Button
            look="quiet"
            aria-expanded={isOpen}
            aria-label={`${t.below} ${display_name}: ${count}`}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
            {count}
          </Button>
        )}
      </div>
      {isOpen && <Level id={id} />}
    </li>
  );
}
