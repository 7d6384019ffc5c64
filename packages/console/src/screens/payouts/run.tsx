import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { PayoutLine, PayoutRunWithLines } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { ErrorView } from '../../parts/error-view.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Confirm, Discard } from './deciding.tsx';
import { RunFile } from './file.tsx';
import { LineTable } from './lines.tsx';
import { RestPaid } from './results.tsx';
import { RunState } from './states.tsx';
import { texts } from './texts.ts';

export function OneRun({ id, back }: { readonly id: number; readonly back: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['payoutRuns', id],
    queryFn: async ({ signal }) => (await api.payoutRuns.get(id, { signal })).data,
  });
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <Shown run={data} back={back} /> : null;
}

interface RunProps {
  readonly run: PayoutRunWithLines;
}

function Shown({ run, back }: RunProps & { readonly back: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const isDraft = run.status === 'draft';
  const hindered = run.lines.filter(({ payable }) => !payable);
  const payable = run.lines.filter((line) => line.payable);
  const actions = (
    <>
      <Link className="button plain" href={back}>
        {t.back}
      </Link>
      {isDraft && (may('payouts:write') || may('commissions:write')) && <Discard run={run} />}
      {isDraft && may('payouts:write') && run.totals.payable > 0 && <Confirm run={run} />}
      {run.status === 'confirmed' && may('payouts:write') && <RestPaid run={run} />}
    </>
  );
  return (
    <Page title={t.run(run.id)} lead={<RunState status={run.status} />} actions={actions}>
      <Steps run={run} />
      <RunFacts run={run} />
      {run.status === 'confirmed' && <RunFile run={run} />}
      <Hindered lines={hindered} isDraft={isDraft} />
      {payable.length > 0 && (
        <Section title={(isDraft ? t.toPay : t.paidLines)(run.totals.payable)}>
          <LineTable run={run} lines={payable} />
        </Section>
      )}
      {run.totals.lines > run.lines.length && <p className="faint">{t.more(run.lines.length)}</p>}
    </Page>
  );
}

const steps = ['draft', 'confirm', 'file', 'results'] as const;

/** Counts the lines that have a result. */
const notedOf = ({ totals }: PayoutRunWithLines) => totals.paid + totals.returned;

function Steps({ run }: RunProps) {
  const t = useTexts(texts).steps;
  const { status } = run;
  if (status === 'discarded') return null;
  const at = status === 'draft' ? 1 : notedOf(run) === 0 ? 2 : 3;
  return (
    <ol className="run-steps" aria-label={t.label}>
      {steps.map((step, i) => (
        <li key={step} aria-current={i === at ? 'step' : undefined} data-done={i < at || undefined}>
          {t[step]}
        </li>
      ))}
    </ol>
  );
}

function RunFacts({ run }: RunProps) {
  const t = useTexts(texts);
  const { totals, currency, minimum, until, left_over } = run;
  const sum = (amount: number) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <Facts
        items={[
          [t.columns.amount, sum(totals.amount)],
          [t.columns.lines, totals.payable.toString()],
          [t.draft.until, until],
          [t.draft.minimum, minimum > 0 && sum(minimum)],
          [t.columns.made, <Time key="made" at={run.created_at} />],
          [t.statuses.confirmed, run.confirmed_at && <Time at={run.confirmed_at} />],
          [t.lineStatuses.paid, totals.paid > 0 && totals.paid],
          [t.transferred, notedOf(run) > 0 && sum(totals.amount - totals.returned_amount)],
          [
            t.lineStatuses.returned,
            totals.returned > 0 && (
              <>
                {totals.returned} · {sum(totals.returned_amount)}
              </>
            ),
          ],
        ]}
      />
      {left_over > 0 && <p className="faint">{t.leftOver(left_over)}</p>}
    </>
  );
}

/** The lines that cannot be paid. */
function Hindered({
  lines,
  isDraft,
}: {
  readonly lines: readonly PayoutLine[];
  readonly isDraft: boolean;
}) {
  const t = useTexts(texts);
  if (lines.length === 0) return null;
  return (
    <Section title={(isDraft ? t.inTheWay : t.leftOut)(lines.length)}>
      {isDraft && <p className="faint run-note">{t.inTheWayText}</p>}
      <LineTable lines={lines} />
    </Section>
  );
}
