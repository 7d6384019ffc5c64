import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Reminder, ReminderStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useOrderNumbers } from '../../parts/names.tsx';
import { Section } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ReminderTemplates } from './reminder-templates.tsx';
import { texts } from './reminder-texts.ts';

const statuses = Object.keys(texts.en.statuses) as ReminderStatus[];

export function Reminders({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { status: asked, cursor } = state.values;
  const query = { status: statuses.find((each) => each === asked), cursor };
  const list = useList('reminders', query, api.reminders.list);
  const columns = useColumns(list.data?.data ?? []);
  return (
    <>
      <ReminderTemplates />
      <Section title={t.list}>
        <div className="toolbar">
          <Select
            label={t.status}
            value={query.status ?? ''}
            options={[['', t.every], ...statuses.map((each) => [each, t.statuses[each]] as const)]}
            onChange={(status) => state.set({ status })}
          />
        </div>
        <RecordList
          list={list}
          state={state}
          empty={<EmptyState title={t.empty} text={t.emptyText} />}
          label={t.list}
          columns={columns}
          idOf={({ id }) => id}
          source={{ path: '/reminders', query }}
        />
      </Section>
    </>
  );
}

const tones: Readonly<Record<ReminderStatus, Tone>> = {
  pending: 'wait',
  sending: 'active',
  sent: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

function useColumns(rows: readonly Reminder[]): readonly Column<Reminder>[] {
  const { columns: t, statuses: words } = useTexts(texts);
  const may = useMay();
  const numberOf = useOrderNumbers(rows.map(({ order_id }) => order_id));
  const columns: readonly Column<Reminder>[] = [
    { id: 'what', name: t.what, cell: ({ title }) => title },
    {
      id: 'status',
      name: t.status,
      cell: ({ status, last_error }) => (
        <>
          <Status tone={tones[status]}>{words[status]}</Status>
          {status === 'failed' && last_error && <code className="small"> {last_error}</code>}
        </>
      ),
    },
    {
      id: 'order',
      name: t.order,
      cell: ({ order_id }) =>
        order_id !== null && <Link href={`/orders/${order_id}`}>{numberOf(order_id)}</Link>,
    },
    { id: 'to', name: t.to, cell: ({ recipient }) => recipient },
    {
      id: 'at',
      name: t.at,
      cell: ({ sent_at, scheduled_at }) => <Time at={sent_at ?? scheduled_at} as="distance" />,
    },
  ];
  const act = {
    id: 'act',
    name: t.act,
    end: true,
    cell: (reminder: Reminder) => <Actions reminder={reminder} />,
  };
  return may('reminders:write') ? [...columns, act] : columns;
}

function Actions({ reminder }: { readonly reminder: Reminder }) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const { id, title, status, recipient } = reminder;
  const to = recipient ?? '';
  const act = useMutation({
    mutationFn: async (what: 'now' | 'cancel') => {
      if (what === 'now') await api.reminders.resend(id);
      else await api.reminders.update(reminder, { status: 'cancelled' });
      return what;
    },
    onSuccess: (what) => {
      toast(what === 'now' ? t.sent : t.cancelled);
      for (const name of ['reminders', 'overview']) {
        void client.invalidateQueries({ queryKey: [name] });
      }
    },
    onError: (error) => toast(error.message),
  });
  return (
    <span className="row">
      {(status === 'pending' || status === 'failed') && (
        <Button
          aria-label={t.nowOf(title, to)}
          busy={act.isPending}
          onClick={() => act.mutate('now')}
        >
          {t.now}
        </Button>
      )}
      {status === 'pending' && (
        <Button
          look="quiet"
          aria-label={t.cancelOf(title, to)}
          busy={act.isPending}
          onClick={() => act.mutate('cancel')}
        >
          {t.cancel}
        </Button>
      )}
    </span>
  );
}
