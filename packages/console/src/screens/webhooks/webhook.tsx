import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import { shortDay } from '../../lib/time.ts';
import { Bars } from '../../parts/charts.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { WebhookActions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { Failing } from './failing.tsx';
import { nameOf } from './form.tsx';
import { WebhookState } from './state.tsx';
import { texts } from './texts.ts';

export const useWebhook = (id: number) =>
  useQuery({
    queryKey: ['webhooks', id],
    queryFn: async ({ signal }) => (await api.webhooks.get(id, { signal })).data,
  });

interface OneWebhookProps {
  readonly id: number;
  /** The delivery whose sheet is open. */
  readonly delivery: number | undefined;
}

export function OneWebhook({ id, delivery }: OneWebhookProps) {
  const t = useTexts(texts);
  const may = useMay();
  const state = useListState();
  const { data, error, refetch } = useWebhook(id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <Page
      title={nameOf(data)}
      lead={<WebhookState webhook={data} />}
      actions={may('webhooks:write') && <WebhookActions webhook={data} />}
    >
      {data.status === 'active' && data.failing_since && <Failing id={id} />}
      <About webhook={data} />
      <Section title={t.plot}>
        <Plot id={id} />
      </Section>
      <Section title={t.deliveries}>
        <Deliveries id={id} open={delivery} state={state} />
      </Section>
    </Page>
  );
}

function About({ webhook }: { readonly webhook: Webhook }) {
  const { facts: t, reasons, allEvents } = useTexts(texts);
  const { events, failing_since, last_success_at, paused_reason, url } = webhook;
  return (
    <Facts
      items={[
        [t.url, url],
        [t.events, events.includes('*') ? allEvents : events.join(', ')],
        [t.success, last_success_at && <Time at={last_success_at} as="both" />],
        [t.failing, failing_since && <Time at={failing_since} as="both" />],
        [t.why, paused_reason && reasons[paused_reason]],
      ]}
    />
  );
}

function Plot({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const { chart } = useTexts(common);
  const locale = useLocale();
  const { data } = useQuery({
    queryKey: ['webhooks', id, 'figures'],
    queryFn: async ({ signal }) => (await api.webhooks.figures(id, {}, { signal })).data.days,
  });
  if (!data) return null;
  return (
    <Bars
      label={t.plot}
      names={data.map(({ date }) => shortDay(date, locale))}
      namesAre={chart.day}
      series={[
        { name: t.delivered, tone: 'good', values: data.map(({ delivered }) => delivered) },
        { name: t.failed, tone: 'bad', values: data.map(({ failed }) => failed) },
      ]}
      format={(value) => value.toLocaleString(locale)}
      height={140}
    />
  );
}
