import { Link, useRoute } from 'wouter';
import { api } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import { idIn, useRecordId } from '../../lib/record-id.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { OnlyFor } from '../../parts/only-for.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { useTexts } from '../../texts/texts.ts';
import { WebhookForm, nameOf } from './form.tsx';
import { Answer, WebhookState } from './state.tsx';
import { texts } from './texts.ts';
import { OneWebhook, useWebhook } from './webhook.tsx';

export default function Webhooks() {
  const t = useTexts(texts);
  const may = useMay();
  const [isNew] = useRoute('/webhooks/new');
  const edited = useRecordId('/webhooks/:id/edit');
  const one = useRecordId('/webhooks/:id');
  const [, sent] = useRoute('/webhooks/:webhook/:delivery');
  const [webhook, delivery] = [idIn(sent?.webhook), idIn(sent?.delivery)];
  if (isNew || edited) {
    return (
      <OnlyFor needs="webhooks:write">
        {edited ? <EditedWebhook id={edited} /> : <WebhookForm />}
      </OnlyFor>
    );
  }
  const open = webhook ?? one;
  if (open) return <OneWebhook id={open} delivery={delivery} />;
  const create = may('webhooks:write') && (
    <Link className="button primary" href="/webhooks/new">
      {t.new}
    </Link>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <WebhookList />
    </Page>
  );
}

function EditedWebhook({ id }: { readonly id: number }) {
  const { data, error, refetch } = useWebhook(id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <WebhookForm webhook={data} /> : null;
}

function WebhookList() {
  const t = useTexts(texts);
  const columns = useColumns();
  const state = useListState();
  const query = { cursor: state.values['cursor'] };
  const list = useList('webhooks', query, api.webhooks.list);
  const body = JSON.stringify({ url: 'https://shop.example/hook', events: ['order.*'] });
  return (
    <RecordList
      list={list}
      state={state}
      empty={
        <EmptyState
          title={t.empty.title}
          text={t.empty.text}
          call={{ method: 'POST', path: '/webhooks', body }}
        />
      }
      label={t.title}
      columns={columns}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/webhooks/${id}`}
      source={{ path: '/webhooks', query }}
    />
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const { columns: t, never, allEvents } = useTexts(texts);
  return [
    {
      id: 'name',
      name: t.name,
      cell: ({ name, url }) => (
        <>
          {nameOf({ name, url })}
          <br />
          <span className="faint small">{url}</span>
        </>
      ),
    },
    { id: 'state', name: t.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      id: 'last',
      name: t.last,
      cell: ({ last_attempt }) =>
        last_attempt ? <Answer {...last_attempt} /> : <span className="faint">{never}</span>,
    },
    {
      id: 'events',
      name: t.events,
      wideOnly: true,
      cell: ({ events }) => (events.includes('*') ? allEvents : events.join(', ')),
    },
  ];
}
