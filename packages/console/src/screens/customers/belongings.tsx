import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type {
  Access,
  License,
  Message,
  Order,
  StoreSubscription,
  User,
} from '../../api/generated.ts';
import { type Scope, useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import { Money } from '../../parts/money.tsx';
import { OrderState } from '../../parts/order-status.tsx';
import { Section } from '../../parts/page.tsx';
import { SubscriptionState } from '../../parts/subscription-status.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { messageTitle, messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Name = keyof (typeof texts)['en']['parts'];

interface PartProps<T> {
  readonly user: User;
  readonly name: Name;
  readonly scope: Scope;
  /** Reads the customer's first records of this kind. */
  readonly read: (id: number, options: { signal: AbortSignal }) => Promise<readonly T[]>;
  readonly actions?: ReactNode;
  readonly row: (item: T) => ReactNode;
}

/** One kind of a customer's records, if there are any and the account may see them. */
function Part<T extends { readonly id: number }>({
  user,
  name,
  scope,
  read,
  actions,
  row,
}: PartProps<T>) {
  const t = useTexts(texts).parts;
  const may = useMay();
  const { data = [] } = useQuery({
    queryKey: ['users', user.id, name],
    queryFn: ({ signal }) => read(user.id, { signal }),
    enabled: may(scope),
  });
  if (data.length === 0) return null;
  return (
    <Section title={t[name]} actions={actions}>
      <ul className="entries">
        {data.map((item) => (
          <li key={item.id}>{row(item)}</li>
        ))}
      </ul>
    </Section>
  );
}

export function Belongings({ user }: { readonly user: User }) {
  const t = useTexts(texts);
  return (
    <>
      <Part
        user={user}
        name="orders"
        scope="orders:read"
        read={async (id, options) =>
          (await api.orders.list({ user_id: id, per_page: 5 }, options)).data
        }
        actions={
          user.email && (
            <Link href={`/orders?search=${encodeURIComponent(user.email)}`}>{t.allOrders}</Link>
          )
        }
        row={(order) => <OrderRow order={order} />}
      />
      <Part
        user={user}
        name="subscriptions"
        scope="subscriptions:read"
        read={async (id, options) =>
          (await api.subscriptions.list({ user_id: id, per_page: 25 }, options)).data
        }
        row={(subscription) => <SubscriptionRow subscription={subscription} />}
      />
      <Part
        user={user}
        name="access"
        scope="access:read"
        read={async (id, options) =>
          (await api.access.list({ user_id: id, per_page: 100 }, options)).data.filter(
            ({ source }) => source !== 'subscription',
          )
        }
        row={(access) => <AccessRow access={access} />}
      />
      <Part
        user={user}
        name="licenses"
        scope="licenses:read"
        read={async (id, options) =>
          (await api.licenses.list({ user_id: id, per_page: 25 }, options)).data
        }
        row={(license) => <LicenseRow license={license} />}
      />
      <Part
        user={user}
        name="messages"
        scope="messages:read"
        read={async (id, options) =>
          (await api.messages.list({ user_id: id, per_page: 10 }, options)).data
        }
        row={(message) => <MessageRow message={message} />}
      />
    </>
  );
}

function OrderRow({ order }: { readonly order: Order }) {
  return (
    <>
      <span className="entry-what">
        <Link href={`/orders/${order.id}`}>{order.number}</Link>{' '}
        <span className="faint">{order.product.title}</span>
      </span>
      <Money amount={order.grand_total} currency={order.currency} />
      <OrderState status={order.status} />
    </>
  );
}

const accessTones = {
  pending: 'neutral',
  active: 'good',
  expired: 'neutral',
  revoked: 'bad',
} as const;

function AccessRow({ access }: { readonly access: Access }) {
  const t = useTexts(texts);
  return (
    <>
      <span className="entry-what">{access.product_name}</span>
      <span className="faint small">
        {access.end_active ? (
          <>
            {t.until} <Time at={access.end_active} />
          </>
        ) : (
          t.forever
        )}
      </span>
      <Status tone={accessTones[access.status]}>{t.access[access.status]}</Status>
    </>
  );
}

function SubscriptionRow({ subscription }: { readonly subscription: StoreSubscription }) {
  const t = useTexts(texts);
  const { id, product_name, status, end_date } = subscription;
  return (
    <>
      <span className="entry-what">
        <Link href={`/subscriptions/${id}`}>{product_name}</Link>
      </span>
      {end_date && (
        <span className="faint small">
          {t.until} <Time at={end_date} />
        </span>
      )}
      <SubscriptionState status={status} />
    </>
  );
}

const licenseTones = { pending: 'neutral', active: 'good', inactive: 'bad' } as const;

function LicenseRow({ license }: { readonly license: License }) {
  const t = useTexts(texts);
  const { id, code, activation_count, activation_limit, status, strings } = license;
  return (
    <>
      <span className="entry-what">
        <Link href={`/licences/${id}`}>
          <code>{code}</code>
        </Link>{' '}
        <span className="faint">
          {t.seats(activation_count, activation_limit)} {strings.join(', ')}
        </span>
      </span>
      <Status tone={licenseTones[status]}>{t.license[status]}</Status>
    </>
  );
}

function MessageRow({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const words = useTexts(messageWords);
  const may = useMay();
  const client = useQueryClient();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: () => api.messages.resend(message.id),
    onSuccess: () => {
      toast(t.resent);
      void client.invalidateQueries({ queryKey: ['users', message.user_id, 'messages'] });
    },
    onError: (error) => toast(error.message),
  });
  return (
    <>
      <span className="entry-what">
        <Link href={`/messages/${message.id}`}>{messageTitle(message, words.kinds)}</Link>{' '}
        <span className="faint">{message.recipient}</span>
      </span>
      <Status tone={message.status === 'failed' ? 'bad' : 'neutral'}>
        {words.statuses[message.status]}
      </Status>
      <span className="faint small">
        <Time at={message.created_at} as="distance" />
      </span>
      {may('messages:send') && message.sent_at !== null && (
        <Button look="quiet" busy={resend.isPending} onClick={() => resend.mutate()}>
          {t.resend}
        </Button>
      )}
    </>
  );
}
