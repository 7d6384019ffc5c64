import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ApiKey, ApiKeyUse } from '../../api/generated.ts';
import { shortDay } from '../../lib/time.ts';
import { Button } from '../../parts/button.tsx';
import { Bars, type Series } from '../../parts/charts.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import { scopesAmong, useMayWords } from './words.ts';

const tones = { '2xx': 'good', '4xx': 'wait', '429': 'two', '5xx': 'bad' } as const;
const outcomes = ['2xx', '4xx', '429', '5xx'] as const;

/** The use of a key in the last 30 days. */
export function Use({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(texts).detail;
  const { id } = apiKey;
  const { data, error, refetch } = useQuery({
    queryKey: ['keys', id, 'use'],
    queryFn: async ({ signal }) => (await api.keys.use(id, { signal })).data,
    refetchInterval: 5000,
  });
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <>
      <Section title={t.use}>
        <Days use={data} />
        <Unused apiKey={apiKey} unused={data.unused_scopes} />
      </Section>
      <Section title={t.refusals}>
        <Refusals use={data} />
      </Section>
    </>
  );
}

interface UnusedProps {
  readonly apiKey: ApiKey;
  readonly unused: readonly string[];
}

/** The unused scopes of a key, with a button to remove them; at least one scope stays. */
function Unused({ apiKey, unused }: UnusedProps) {
  const t = useTexts(texts).detail;
  const may = useMayWords();
  const client = useQueryClient();
  const toast = useToast();
  const left = scopesAmong(apiKey.scopes).filter((scope) => !unused.includes(scope));
  const narrow = useMutation({
    mutationFn: () => api.keys.update(apiKey.id, { scopes: left }),
    onSuccess: () => {
      toast(t.narrowed);
      return client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (unused.length === 0) return null;
  return (
    <>
      <p className="small faint">
        {t.unused} {may(unused)}.
      </p>
      {narrow.error && <ErrorView error={narrow.error} />}
      {left.length > 0 && apiKey.status === 'active' && (
        <Button busy={narrow.isPending} onClick={() => narrow.mutate()}>
          {t.narrow}
        </Button>
      )}
    </>
  );
}

interface Part {
  readonly use: ApiKeyUse;
}

function Days({ use: { days } }: Part) {
  const { detail, outcomes: names } = useTexts(texts);
  const { chart } = useTexts(common);
  const locale = useLocale();
  const series = outcomes.map((outcome): Series => ({
    name: names[outcome],
    tone: tones[outcome],
    values: days.map(({ calls }) => calls[outcome] ?? 0),
  }));
  return (
    <Bars
      label={detail.use}
      names={days.map(({ day }) => shortDay(day, locale))}
      namesAre={chart.day}
      series={series}
      format={(value) => value.toLocaleString(locale)}
      height={140}
    />
  );
}

function Refusals({ use: { refusals } }: Part) {
  const t = useTexts(texts).detail;
  if (refusals.length === 0) return <p className="faint">{t.noRefusals}</p>;
  return (
    <table className="plain-table small">
      <thead>
        <tr>
          <th scope="col">{t.what}</th>
          <th scope="col">{t.answer}</th>
          <th scope="col" className="end">
            {t.when}
          </th>
        </tr>
      </thead>
      <tbody>
        {refusals.slice(0, 20).map(({ at, operation, status, code, request_id }) => (
          <tr key={request_id + at}>
            <td>{operation}</td>
            <td>
              {status} <code>{code}</code>
              <br />
              <span className="faint">{request_id}</span>
            </td>
            <td className="end">
              <Time at={at} as="distance" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
