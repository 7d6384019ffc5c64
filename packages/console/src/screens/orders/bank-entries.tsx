import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { BankMutation } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Money, useMoney } from '../../parts/money.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { Select } from '../../parts/select.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './bank-texts.ts';
import { type Waiting, WaitingList, useDecided } from './waiting.tsx';

/** The bank entries that fit no order. */
export const bankEntries: Waiting<BankMutation, { readonly status: 'open' }> = {
  view: 'bank',
  resource: 'mutations',
  path: '/payments/mutations',
  scope: 'payments:read',
  filter: { status: 'open' },
  read: api.payments.mutations,
};

export const BankEntries = () => (
  <WaitingList of={bankEntries} texts={useTexts(texts)} columns={useColumns()} />
);

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

function useDecision(entry: BankMutation, onDone: (order: string | undefined) => void) {
  const decided = useDecided(bankEntries.resource);
  return useMutation({
    mutationFn: (order?: { readonly id: number; readonly number: string }) =>
      api.payments.resolveMutation(
        entry,
        order ? { action: 'assign', order_id: order.id } : { action: 'ignore' },
      ),
    onSuccess: (_, order) => {
      onDone(order?.number);
      decided();
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
