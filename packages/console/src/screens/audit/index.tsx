import { api } from '../../api/client.ts';
import type { ActorType, AuditEntry } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { DayField, FilterChips } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntrySheet } from './sheet.tsx';
import { texts } from './texts.ts';
import { recordName, useFieldName, useSaid, useSubject, useWho } from './words.ts';

const actors: readonly ActorType[] = ['user', 'key', 'system'];

export default function Audit() {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const state = useListState();
  const { actor_type: current = '' } = state.values;
  const tabs = (['', ...actors] as const).map((type) => ({
    href: `/audit${state.query({ actor_type: type, actor_id: '', cursor: '' })}`,
    name: type === '' ? all : t.actors[type],
    current: type === current,
  }));
  return (
    <Page title={t.title} lead={t.lead}>
      <LinkTabs label={t.views} items={tabs} />
      <Entries state={state} />
    </Page>
  );
}

function Entries({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const open = useRecordId('/audit/:id');
  const { actor_type, actor_id, subject_type, subject_id, date_start, cursor } = state.values;
  const query = {
    actor_type: actors.find((each) => each === actor_type),
    ...{ subject_type, subject_id, date_start, cursor },
    actor_id: actor_id ? Number(actor_id) : undefined,
  };
  const list = useList('audit', query, api.audit.list);
  const rows = list.data?.data ?? [];
  const columns = useColumns();
  const isFiltered = Object.values({ ...query, cursor: undefined }).some(Boolean);
  const hrefOf = ({ id }: AuditEntry) => `/audit/${id}${state.query()}`;
  return (
    <>
      <Filters state={state} first={rows[0]} />
      <RecordList
        list={list}
        state={state}
        empty={
          isFiltered ? (
            <p className="faint">{t.nothing}</p>
          ) : (
            <EmptyState
              title={t.empty.title}
              text={t.empty.text}
              call={{ method: 'GET', path: '/audit', body: undefined }}
            />
          )
        }
        label={t.title}
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: '/audit', query }}
      />
      {open && <EntrySheet id={open} list={list} hrefOf={hrefOf} state={state} />}
    </>
  );
}

interface FiltersProps {
  readonly state: ListState;
  /**
   * The first entry of the list: it names the actor and the record that the list is filtered by.
   */
  readonly first: AuditEntry | undefined;
}

function Filters({ state, first }: FiltersProps) {
  const t = useTexts(texts);
  const subjectOf = useSubject();
  const { actor_id, subject_type, subject_id, date_start = '' } = state.values;
  const name = first?.subject_id === subject_id && first ? recordName(first) : subject_id;
  const who = useWho();
  const chips = [
    actor_id && {
      name: t.actor,
      value: first ? who(first) : `#${actor_id}`,
      off: { actor_id: '' },
    },
    subject_type && {
      name: t.record,
      value: [subjectOf(subject_type), subject_id && name].filter(Boolean).join(' '),
      off: { subject_type: '', subject_id: '' },
    },
  ].flatMap((chip) => chip || []);
  return (
    <div className="toolbar">
      <DayField
        name={t.from}
        value={date_start}
        onChange={(date) => state.set({ date_start: date })}
      />
      <FilterChips
        items={chips.map(({ name, value, off }) => ({
          ...{ name, value },
          onRemove: () => state.set(off),
        }))}
      />
    </div>
  );
}

function useColumns(): readonly Column<AuditEntry>[] {
  const t = useTexts(texts).columns;
  const said = useSaid();
  const who = useWho();
  const fieldName = useFieldName();
  return [
    { id: 'what', name: t.what, cell: said },
    { id: 'who', name: t.who, cell: who },
    {
      id: 'fields',
      name: t.fields,
      wideOnly: true,
      cell: ({ after }) => {
        const names = Object.keys(after ?? {});
        if (names.length === 0) return null;
        const more = names.length > 3 ? ' …' : '';
        return <span className="faint">{names.slice(0, 3).map(fieldName).join(', ') + more}</span>;
      },
    },
    { id: 'when', name: t.when, end: true, cell: ({ at }) => <Time at={at} as="distance" /> },
  ];
}
