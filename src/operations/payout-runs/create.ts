import { anyScope, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { newRun, withLines } from '../../domain/payout/run-rules.ts';
import { PayoutRunCreate, PayoutRunWithLines } from '../../domain/payout/run-schemas.ts';
import { draftRun, insertRun } from '../../queries/payout-runs.ts';
import { findSettings } from '../../queries/settings.ts';
import type { Scope } from '../../schema/scopes.ts';

export const createPayoutRun = endpoint({
  id: 'payoutRuns.create',
  route: ['POST /payout-runs'],
  summary: 'Draft a payout run',
  description:
    'Collects every commission that is payable now, with a line for each affiliate, and holds it: no other draft and no payout includes it. A run has at most 100,000 commissions and never splits an affiliate; `left_over` counts the others. An affiliate whose line in another draft is negative is left out. A commission that becomes unpayable leaves the draft, and later adjustments of it join the line. Nothing is paid before the run is confirmed. The accounts of its lines are null for callers with neither `payouts:read` nor `payouts:write`.',
  access: anyScope('payouts:write', 'commissions:write'),
  effect: 'write',
  body: PayoutRunCreate,
  reply: [201, record(PayoutRunWithLines)],
  errors: ['nothing_payable'],
}).handle(async ({ body, principal, db, now }) =>
  db.change({
    load: { id: drawId('payout_runs'), settings: findSettings(), draft: draftRun(body, now) },
    decide: ({
      id: drawn,
      settings: [settings],
      draft: {
        rows: [draft],
      },
    }) => {
      const currency = settings?.currency ?? null;
      if (currency === null || !draft?.lines) {
        return refuse('nothing_payable', { message: 'No commissions are payable.' });
      }
      const { totals } = draft;
      const found = { id: nextId(drawn), currency, left_over: totals.all - totals.taken };
      const run = newRun(body, found, now);
      const lines = draft.lines.map((line) => ({ ...line, run_id: run.id }));
      return {
        write: insertRun(run, body, draft, now),
        reply: one(
          withLines(
            { run, totals },
            mayRead(principal) ? lines : lines.map((line) => ({ ...line, account: null })),
          ),
        ),
      };
    },
  }),
);

const mayRead = (caller: { has(scope: Scope): boolean }) =>
  caller.has('payouts:read') || caller.has('payouts:write');
