import { api } from '../../api/client.ts';
import type { DeliveryStatus, WebhookDelivery } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import type { ListState } from '../../lib/address.ts';
import type { Column } from '../../parts/data-table.tsx';
import { DayField } from '../../parts/filters.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Select } from '../../parts/select.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { DeliverySheet } from './delivery.tsx';
import { eventNames } from './event-texts.ts';
import { Answer } from './state.tsx';
import { texts } from './texts.ts';

const statuses: readonly DeliveryStatus[] = ['success', 'failed'];

interface DeliveriesProps {
  readonly id: number;
  readonly open: number | undefined;
  readonly state: ListState;
}

export function Deliveries({ id, open, state }: DeliveriesProps) {
  const t = useTexts(texts);
  const { all } = useTexts(common);
  const columns = useColumns();
  const { status: asked, event, code, day, cursor } = state.values;
  const status = statuses.find((each) => each === asked);
  const narrowed = {
    event: eventNames.find((each) => each === event),
    code,
    ...(day && { date_start: day, date_end: day }),
  };
  const query = { status, ...narrowed, cursor };
  const list = useList('webhooks', { id, ...query }, ({ id: webhook, ...rest }, options) =>
    api.webhooks.deliveries(webhook, rest, options),
  );
  const tabs = ([undefined, ...statuses] as const).map((each) => ({
    href: `/webhooks/${id}${state.query({ status: each ?? '', cursor: '' })}`,
    name: each ? t.filters[each] : all,
    current: each === status,
  }));
  const hrefOf = (row: WebhookDelivery) => `/webhooks/${id}/${row.id}${state.query()}`;
  return (
    <>
      <LinkTabs label={t.deliveries} items={tabs} />
      <Filters state={state} />
      <RecordList
        list={list}
        state={state}
        empty={<p className="faint">{t.noDeliveries}</p>}
        label={t.deliveries}
        columns={columns}
        idOf={(row) => row.id}
        hrefOf={hrefOf}
        selected={open}
        source={{ path: `/webhooks/${id}/deliveries`, query }}
      />
      {open !== undefined && (
        <DeliverySheet
          webhook={id}
          id={open}
          rows={list.data?.data ?? []}
          hrefOf={hrefOf}
          state={state}
        />
      )}
    </>
  );
}

const codes = ['2xx', '3xx', '4xx', '5xx', '0'] as const;

function Filters({ state }: { readonly state: ListState }) {
  const t = useTexts(texts).narrow;
  const { event = '', code = '', day = '' } = state.values;
  return (
    <div className="toolbar">
      <Select
        label={t.event}
        value={event}
        options={[['', t.everyEvent], ...eventNames.map((name) => [name, name] as const)]}
        onChange={(value) => state.set({ event: value })}
      />
      <Select
        label={t.code}
        value={code}
        options={[['', t.everyCode], ...codes.map((each) => [each, t.codes[each]] as const)]}
        onChange={(value) => state.set({ code: value })}
      />
      <DayField name={t.day} value={day} onChange={(date) => state.set({ day: date })} />
    </div>
  );
}

function useColumns(): readonly Column<WebhookDelivery>[] {
  const { deliveryColumns: t, ms } = useTexts(texts);
  const locale = useLocale();
  return [
    { id: 'event', name: t.event, cell: ({ event }) => event },
    { id: 'answer', name: t.answer, cell: (row) => <Answer {...row} /> },
    { id: 'attempt', name: t.attempt, end: true, wideOnly: true, cell: ({ attempt }) => attempt },
    {
      id: 'took',
      name: t.took,
      end: true,
      wideOnly: true,
      cell: ({ milliseconds }) => ms(milliseconds.toLocaleString(locale)),
    },
    { id: 'at', name: t.at, end: true, cell: ({ at }) => <Time at={at} as="distance" /> },
  ];
}
