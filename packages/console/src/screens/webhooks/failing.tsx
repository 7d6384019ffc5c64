import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMay } from '../../context/session.ts';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Resend } from './delivery.tsx';
import { Answer } from './state.tsx';
import { texts } from './texts.ts';

/** The last failed attempt, with a button to repeat it. */
export function Failing({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['webhooks', id, 'last-failed'],
    queryFn: async ({ signal }) =>
      (await api.webhooks.deliveries(id, { status: 'failed', per_page: 1 }, { signal })).data[0],
  });
  if (!data) return null;
  return (
    <section className="card failing" aria-label={t.lastFailed}>
      <p>
        <strong>{t.lastFailed}</strong> {data.event} <Answer {...data} />{' '}
        <span className="small faint">
          <Time at={data.at} as="distance" />
        </span>
      </p>
      {data.error && <p className="small">{data.error}</p>}
      {data.answer && <pre className="answer">{data.answer}</pre>}
      {may('webhooks:write') && <Resend delivery={data} />}
    </section>
  );
}
