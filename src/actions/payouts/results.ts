import type { Results } from '../../kernel/database/statements.ts';
import { type Refusal, current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import type { DomainEvent } from '../../kernel/events/define.ts';
import { payoutEvent } from '../../domain/payout/events.ts';
import { toPayout } from '../../domain/payout/rules.ts';
import {
  type LineRow,
  type PaidLine,
  decideResult,
  toPayoutLine,
  toPayoutRun,
  touchedRun,
} from '../../domain/payout/run-rules.ts';
import type { LineResult } from '../../domain/payout/run-schemas.ts';
import { findLinesOf, saveResults } from '../../queries/payout-lines.ts';
import { findRun, saveRun } from '../../queries/payout-runs.ts';
import { findPayoutsOf, savePayouts } from '../../queries/payouts.ts';

export const resultErrors = [
  'rest_not_found',
  'payout_run_open',
  'payout_line_left_out',
  'payout_line_returned',
] as const;

type ResultRefusal = Refusal<(typeof resultErrors)[number] | 'rest_conflict'>;

export const loadResults = (run_id: number, ids: readonly number[], now: Date) => ({
  found: findRun(run_id, now),
  lines: findLinesOf(run_id, ids, now),
  payouts: findPayoutsOf(ids),
});

/** Decides all results or none. */
export function planResults(
  { found, lines, payouts }: Results<ReturnType<typeof loadResults>>,
  results: readonly (LineResult & { readonly id: number })[],
  ifMatch: number | undefined,
  now: Date,
) {
  const shown = found.map((row) => ({ row, ...toPayoutRun(row) }));
  const run = current(shown, ifMatch);
  if (isRefusal(run)) return run;
  const decided = results.map((result) => {
    const line = lines.find(({ id }) => id === result.id);
    const payout = payouts.find(({ payout: { id } }) => id === result.id);
    return { line, payout, outcome: decideResult(line, payout, result, now) };
  });
  const changes: Change[] = [];
  const after: LineRow[] = [];
  for (const { line, payout, outcome } of decided) {
    if (isRefusal(outcome) || !line || !payout) return refusalOf(outcome);
    after.push(outcome.line);
    if (outcome.line !== line) changes.push({ before: { line, payout }, after: outcome });
  }
  return {
    write: changes.length > 0 ? writesOf(run.row, changes, now) : [],
    events: changes.flatMap(eventsOf),
    after: after.map(toPayoutLine),
  };
}

interface Change {
  readonly before: PaidLine;
  readonly after: PaidLine;
}

const refusalOf = (outcome: PaidLine | ResultRefusal): ResultRefusal =>
  isRefusal(outcome) ? outcome : refuse('rest_not_found');

const writesOf = (run: Parameters<typeof saveRun>[0], changes: readonly Change[], now: Date) => [
  saveRun(run, touchedRun(run, now)),
  ...savePayouts(
    changes.map(({ before, after }) => ({ before: before.payout, after: after.payout })),
    now,
  ),
  saveResults(changes.map(({ before, after }) => ({ before: before.line, after: after.line }))),
];

/** Notifies an affiliate once per payment. */
function eventsOf({ before, after }: Change): DomainEvent[] {
  const { status } = after.line;
  if (status === 'returned' && before.line.status !== 'returned') {
    return [payoutEvent('payout.returned', toPayout(after.payout))];
  }
  const isNews = status === 'paid' && before.line.tell_at !== null;
  return isNews ? [payoutEvent('payout.paid', toPayout(after.payout))] : [];
}
