import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { BankMutation } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Money, useMoney } from '../../parts/money.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './bank-texts.ts';
import { ViewLink } from './view-link.tsx';

/** Links to the bank entries without an order, if there are any. */
export function BankEntriesLink({ current }: { readonly current: boolean }) {
  const t = useTexts(texts);
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['mutations', 'count'],
    queryFn: ({ signal }) => api.payments.mutations({ status: 'open', per_page: 1 }, { signal }),
    enabled: may('payments:read'),
  });
  const total = data?.meta.pagination?.total ?? 0;
  if (total === 0 && !current) return null;
  return <ViewLink view="bank" name={t.title} total={total} current={current} />;
}

/** The bank entries that wait for a decision. */
export function BankEntries() {
  const t = useTexts(texts);
  const state = useListState();
  const columns = useColumns();
  const query = { status: 'open', cursor: state.values['cursor'] } as const;
  const list = useList('mutations', query, api.payments.mutations);
  return (
    <>
      <p className="lead toolbar">{t.lead}</p>
      <RecordList
        list={list}
        state={state}
        empty={<EmptyState title={t.empty} text={t.emptyText} />}
        label={t.title}
        columns={columns}
        idOf={({ id }) => id}
        source={{ path: '/payments/mutations', query }}
      />
    </>
  );
}

function useColumns(): readonly Column<BankMutation>[] {
  const { columns: t, unread } = useTexts(texts);
  const may = useMay();
  const columns: readonly Column<BankMutation>[] = [
    {
      id: 'text',
      name: t.text,
      cell: (entry) => (entry.unread === null ? entry.description : `${unread} ${entry.unread}`),
    },
    { id: 'account', name: t.account, cell: ({ account_number }) => account_number },
    {
      id: 'amount',
      name: t.amount,
      end: true,
      cell: ({ amount, currency }) =>
        amount !== null && <Money amount={amount} currency={currency} />,
    },
    { id: 'at', name: t.at, cell: ({ occurred_at }) => <Time at={occurred_at} as="distance" /> },
  ];
  const decide = {
    id: 'decide',
    name: t.decide,
    end: true,
    cell: (entry: BankMutation) => <Decide entry={entry} />,
  };
  return may('orders:write') ? [...columns, decide] : columns;
}

interface Part {
  readonly entry: BankMutation;
}

/** Decides on an entry, and reads its lists again. */
function useDecision(entry: BankMutation, onDone: (order: string | undefined) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (order?: { readonly id: number; readonly number: string }) =>
      api.payments.resolveMutation(
        entry,
        order ? { action: 'assign', order_id: order.id } : { action: 'ignore' },
      ),
    onSuccess: (_, order) => {
      onDone(order?.number);
      for (const name of ['mutations', 'orders', 'overview']) {
        void client.invalidateQueries({ queryKey: [name] });
      }
    },
  });
}

function Decide({ entry }: Part) {
  const t = useTexts(texts);
  const toast = useToast();
  const [isAssigning, setAssigning] = useState(false);
  const ignore = useDecision(entry, () => toast(t.ignored));
  return (
    <span className="row">
      <Button aria-label={t.assignOf(entry.description)} onClick={() => setAssigning(true)}>
        {t.assign}
      </Button>
      <Button
        look="quiet"
        aria-label={t.ignoreOf(entry.description)}
        busy={ignore.isPending}
        onClick={() => ignore.mutate(undefined, { onError: (error) => toast(error.message) })}
      >
        {t.ignore}
      </Button>
      {isAssigning && <Assign entry={entry} onClose={() => setAssigning(false)} />}
    </span>
  );
}

/** Finds the order that an entry pays; it first lists those with its amount. */
function Assign({ entry, onClose }: Part & { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const statuses = useTexts(orderStatuses);
  const money = useMoney();
  const toast = useToast();
  const [search, setSearch] = useState(String(entry.amount ?? ''));
  const [chosen, setChosen] = useState('');
  const { data: orders } = useQuery({
    queryKey: ['orders', 'list', { search, per_page: 10 }],
    queryFn: async ({ signal }) =>
      (await api.orders.list({ search, per_page: 10 }, { signal })).data,
    enabled: search.trim() !== '',
  });
  const order = orders?.find(({ id }) => String(id) === chosen) ?? orders?.[0];
  const assign = useDecision(entry, (number = '') => {
    toast(t.assigned(number));
    onClose();
  });
  return (
    <Dialog title={t.assign} text={t.assignText} onClose={onClose}>
      <ActionForm
        action={assign}
        verb={t.assign}
        disabled={!order}
        onSubmit={() => order && assign.mutate(order)}
        onCancel={onClose}
      >
        <Field name="search" label={t.search} hint={t.searchHint} required>
          <TextInput value={search} onChange={({ target }) => setSearch(target.value)} />
        </Field>
        {orders && !order && <p className="faint">{t.noOrder}</p>}
        {orders && order && (
          <Field name="order_id" label={t.order} error={assign.error} required>
            <Select
              value={String(order.id)}
              options={orders.map(({ id, number, user, grand_total, currency, status }) => [
                String(id),
                [number, user.display_name, money(grand_total, currency), statuses[status]].join(
                  ' · ',
                ),
              ])}
              onChange={setChosen}
            />
          </Field>
        )}
      </ActionForm>
    </Dialog>
  );
}
