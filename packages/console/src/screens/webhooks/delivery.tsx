import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { WebhookDelivery, WholeWebhookDelivery } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBox } from '../../parts/copy-button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { useSend } from './sending.ts';
import { Answer } from './state.tsx';
import { texts } from './texts.ts';

interface DeliverySheetProps {
  readonly webhook: number;
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly WebhookDelivery[];
  readonly hrefOf: (delivery: WebhookDelivery) => string;
  readonly state: ListState;
}

export function DeliverySheet({ webhook, id, rows, hrefOf, state }: DeliverySheetProps) {
  const may = useMay();
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const query = useQuery({
    queryKey: ['webhooks', webhook, 'delivery', id],
    queryFn: async ({ signal }) => (await api.webhooks.delivery(webhook, id, { signal })).data,
  });
  const { data } = query;
  return (
    <Sheet
      title={data?.event}
      query={query}
      aside={data && <Answer {...data} />}
      onClose={() => navigate(`/webhooks/${webhook}${state.query()}`)}
      {...neighbours}
      actions={data && may('webhooks:write') && <Resend delivery={data} />}
    >
      {data && <Shown delivery={data} />}
    </Sheet>
  );
}

interface Part {
  readonly delivery: WholeWebhookDelivery;
}

function Shown({ delivery }: Part) {
  const t = useTexts(texts).delivery;
  const { attempts, body, headers, redacted } = delivery;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Section title={t.answers}>
        <ol className="history">
          {attempts.map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} />
          ))}
        </ol>
      </Section>
      <Section title={t.sent}>
        {redacted ? (
          <p className="faint">{t.redacted}</p>
        ) : (
          <CodeBox text={pretty(body)} label={t.sent} />
        )}
      </Section>
      {lines.length > 0 && (
        <Section title={t.headers}>
          <CodeBox text={lines.join('\n')} label={t.headers} />
        </Section>
      )}
    </>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookDelivery }) {
  const { ms } = useTexts(texts);
  const locale = useLocale();
  const { answer, at, error, milliseconds } = attempt;
  return (
    <li>
      <Answer {...attempt} />{' '}
      <span className="small faint">
        <Time at={at} as="both" /> · {ms(milliseconds.toLocaleString(locale))}
      </span>
      {error && <p>{error}</p>}
      {answer && <pre className="answer">{answer}</pre>}
    </li>
  );
}

/** Formats JSON; any other text stays unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sends a delivery again, and shows the answer when it arrives. */
export function Resend({ delivery }: { readonly delivery: WebhookDelivery }) {
  const t = useTexts(texts);
  const toast = useToast();
  const { webhook_id, id } = delivery;
  const resend = useSend(
    webhook_id,
    () => api.webhooks.resend(webhook_id, id),
    () => toast(t.resent),
  );
  return (
    <>
      {resend.error && <ErrorView error={resend.error} />}
      <Button look="primary" busy={resend.isPending} onClick={() => resend.mutate()}>
        {t.resend}
      </Button>
    </>
  );
}
