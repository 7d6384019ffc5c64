import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Message, MessageKind, MessageMedium, MessageStatus } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChips } from '../../parts/filters.tsx';
import { useCustomerNames, useOrderNumbers } from '../../parts/names.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Time } from '../../parts/time.tsx';
import { messageTitle, messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { ResendAll } from './resend-all.tsx';
import { MessageSheet } from './sheet.tsx';
import { MessageState } from './state.tsx';
import { texts } from './texts.ts';

interface Of {
  readonly state: ListState;
}

const oneOf = <T extends string>(words: Readonly<Record<T, string>>, value: string | undefined) =>
  (Object.keys(words) as T[]).find((each) => each === value);

export function Log({ state }: Of) {
  const t = useTexts(texts);
  const may = useMay();
  const columns = useColumns();
  const open = useRecordId('/messages/:id');
  const { kind, medium, status, user_id, order_id, cursor } = state.values;
  const { kinds, media, statuses } = messageWords.en;
  const filters = {
    kind: oneOf<MessageKind>(kinds, kind),
    medium: oneOf<MessageMedium>(media, medium),
    status: oneOf<MessageStatus>(statuses, status),
    user_id: user_id ? Number(user_id) : undefined,
    order_id: order_id ? Number(order_id) : undefined,
  };
  const query = { ...filters, cursor };
  const list = useList('messages', query, api.messages.list);
  const hrefOf = ({ id }: Message) => `/messages/${id}${state.query()}`;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isWaiting = status === 'queued' || status === 'gathered';
  return (
    <>
      <Filters state={state} />
      {may('messages:send') && (
        <ResendAll
          query={query}
          total={isFiltered && !isWaiting ? (list.data?.meta.pagination?.total ?? 0) : 0}
        />
      )}
      <RecordList
        list={list}
        state={state}
        empty={<NoMessages isFiltered={isFiltered} />}
        label={t.title}
        dense
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/messages', query }}
      />
      {open && (
        <MessageSheet
          key={open}
          id={open}
          rows={list.data?.data ?? []}
          hrefOf={hrefOf}
          state={state}
        />
      )}
    </>
  );
}

function Filters({ state }: Of) {
  const { filters: t } = useTexts(texts);
  const { kinds, media, statuses } = useTexts(messageWords);
  const { kind = '', medium = '', status = '', user_id, order_id } = state.values;
  const nameOf = useCustomerNames(user_id ? [Number(user_id)] : []);
  const numberOf = useOrderNumbers(order_id ? [Number(order_id)] : []);
  const chips = [
    ...(user_id ? [{ name: t.user, value: nameOf(Number(user_id)), field: 'user_id' }] : []),
    ...(order_id ? [{ name: t.order, value: numberOf(Number(order_id)), field: 'order_id' }] : []),
  ];
  return (
    <div className="toolbar">
      <Select
        label={t.kind}
        value={kind}
        options={[['', t.anyKind], ...Object.entries(kinds)]}
        onChange={(value) => state.set({ kind: value })}
      />
      <Select
        label={t.medium}
        value={medium}
        options={[['', t.anyMedium], ...Object.entries(media)]}
        onChange={(value) => state.set({ medium: value })}
      />
      <Select
        label={t.status}
        value={status}
        options={[['', t.anyStatus], ...Object.entries(statuses)]}
        onChange={(value) => state.set({ status: value })}
      />
      <FilterChips
        items={chips.map(({ name, value, field }) => ({
          ...{ name, value },
          onRemove: () => state.set({ [field]: '' }),
        }))}
      />
    </div>
  );
}

function useColumns(): readonly Column<Message>[] {
  const { columns: t, unaddressed } = useTexts(texts);
  const { kinds, media } = useTexts(messageWords);
  return [
    {
      id: 'what',
      name: t.what,
      cell: (message) => messageTitle(message, kinds),
    },
    { id: 'status', name: t.status, cell: ({ status }) => <MessageState status={status} /> },
    {
      id: 'to',
      name: t.to,
      cell: ({ recipient }) => recipient || <span className="faint">{unaddressed}</span>,
    },
    { id: 'medium', name: t.medium, wideOnly: true, cell: ({ medium }) => media[medium] },
    {
      id: 'at',
      name: t.at,
      end: true,
      cell: ({ created_at }) => <Time at={created_at} as="distance" />,
    },
  ];
}

function NoMessages({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing } = useTexts(texts);
  const { title, text } = isFiltered ? nothing : empty;
  return (
    <EmptyState title={title} text={text}>
      <Link className="button plain" href={isFiltered ? '/messages' : '/messages?view=templates'}>
        {isFiltered ? nothing.all : empty.templates}
      </Link>
    </EmptyState>
  );
}
