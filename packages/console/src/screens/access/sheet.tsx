import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Access } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { CustomerLink, OrderLink, useCustomerNames } from '../../parts/names.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface GrantSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly Access[];
  readonly hrefOf: (grant: Access) => string;
  readonly state: ListState;
}

export function GrantSheet({ id, rows, hrefOf, state }: GrantSheetProps) {
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const listed = rows.find((row) => row.id === id);
  const query = useQuery({
    queryKey: ['access', id],
    queryFn: async ({ signal }) => (await api.access.get(id, { signal })).data,
    ...(listed && { placeholderData: listed }),
  });
  const { data } = query;
  const onClose = () => navigate(`/access${state.query()}`);
  return (
    <Sheet
      title={data?.product_name}
      query={query}
      onClose={onClose}
      {...neighbours}
      actions={data && <Actions grant={data} onGone={onClose} />}
    >
      {data && (
        <>
          <About grant={data} />
          <Check grant={data} />
        </>
      )}
    </Sheet>
  );
}

interface Part {
  readonly grant: Access;
}

function About({ grant }: Part) {
  const { facts: t, sources, forever, statuses, ...words } = useTexts(texts);
  const may = useMay();
  const { user_id, order_id, subscription_id, start, end_active, revoked_at } = grant;
  return (
    <Facts
      items={[
        [t.user, <CustomerLink id={user_id} />],
        [t.product, grant.product_name],
        [words.columns.status, statuses[grant.status]],
        [t.from, sources[grant.source]],
        [t.order, order_id !== null && <OrderLink id={order_id} />],
        [
          t.subscription,
          subscription_id !== null && may('subscriptions:read') && (
            <Link href={`/subscriptions/${subscription_id}`}>{words.open}</Link>
          ),
        ],
        [t.start, start && <Time at={start} />],
        [t.ends, end_active ? <Time at={end_active} as="both" /> : forever],
        [t.taken, revoked_at && <Time at={revoked_at} as="both" />],
        [t.why, grant.revoke_reason],
        [t.note, grant.note],
      ]}
    />
  );
}

/** The verdict as an app gets it. */
function Check({ grant: { user_id, product_id, version } }: Part) {
  const { check: t } = useTexts(texts);
  const { data } = useQuery({
    queryKey: ['access', 'verdict', user_id, product_id, version],
    queryFn: ({ signal }) => api.access.check({ user_id, product_id }, { signal }),
  });
  if (!data) return null;
  return (
    <Section title={t.title}>
      <p>
        <Status tone={data.can_access ? 'good' : 'bad'}>{data.can_access ? t.yes : t.no}</Status>{' '}
        {t.reasons[data.reason]}
      </p>
    </Section>
  );
}

interface ActionsProps extends Part {
  readonly onGone: () => void;
}

function Actions({ grant, onGone }: ActionsProps) {
  const t = useTexts(texts).revoke;
  const may = useMay();
  const client = useQueryClient();
  const toast = useToast();
  const owner = useCustomerNames([grant.user_id])(grant.user_id);
  const [isAsked, setAsked] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.access.delete(grant),
    onSuccess: () => {
      toast(t.done);
      void client.invalidateQueries({ queryKey: ['access'] });
      onGone();
    },
  });
  if (!may('access:delete') || grant.status === 'revoked') return null;
  if (!isAsked) {
    return (
      <Button look="danger" onClick={() => setAsked(true)}>
        {t.verb}
      </Button>
    );
  }
  return (
    <ActionForm
      className="action"
      action={revoke}
      verb={t.verb}
      look="danger"
      onSubmit={() => revoke.mutate()}
      onCancel={() => setAsked(false)}
    >
      <p>{t.text(grant.product_name, owner)}</p>
    </ActionForm>
  );
}
