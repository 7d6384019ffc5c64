import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { MessageSuppression } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/filters.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function Suppressed({ state }: { readonly state: ListState }) {
  const { suppressed: t } = useTexts(texts);
  const { noMatches } = useTexts(common);
  const columns = useColumns();
  const { address = '', cursor } = state.values;
  const query = { address: address || undefined, cursor };
  const list = useList('suppressions', query, api.messageSuppressions.list);
  return (
    <>
      <p className="lead toolbar">{t.lead}</p>
      <div className="toolbar">
        <SearchField
          value={address}
          label={t.columns.address}
          onSearch={(text) => state.set({ address: text })}
        />
      </div>
      <RecordList
        list={list}
        state={state}
        empty={<EmptyState title={address ? noMatches : t.empty} text={t.emptyText} />}
        label={t.columns.address}
        columns={columns}
        idOf={({ id }) => id}
        source={{ path: '/message-suppressions', query }}
      />
    </>
  );
}

function useColumns(): readonly Column<MessageSuppression>[] {
  const { suppressed: t } = useTexts(texts);
  const { media } = useTexts(messageWords);
  const { columns } = t;
  const may = useMay();
  return [
    { id: 'address', name: columns.address, cell: ({ address }) => address },
    { id: 'medium', name: columns.medium, wideOnly: true, cell: ({ medium }) => media[medium] },
    { id: 'reason', name: columns.reason, cell: ({ reason }) => t.reasons[reason] },
    { id: 'since', name: columns.since, cell: ({ created_at }) => <Time at={created_at} /> },
    ...(may('messages:write')
      ? [
          {
            id: 'lift',
            name: columns.lift,
            end: true,
            cell: (suppression: MessageSuppression) => <Lift suppression={suppression} />,
          },
        ]
      : []),
  ];
}

function Lift({ suppression: { id, address } }: { readonly suppression: MessageSuppression }) {
  const { suppressed: t } = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const lift = useMutation({
    mutationFn: () => api.messageSuppressions.delete(id),
    onSuccess: () => {
      toast(t.lifted(address));
      void client.invalidateQueries({ queryKey: ['suppressions'] });
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button aria-label={t.liftOf(address)} busy={lift.isPending} onClick={() => lift.mutate()}>
      {t.lift}
    </Button>
  );
}
