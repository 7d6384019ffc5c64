import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { decimalText } from '../../lib/money.ts';
import { addSeconds } from '../../lib/instant.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';
import type { PayoutIssue } from '../../schema/lists.ts';
import type {
  PayeeAccount,
  PayoutLineColumns,
  PayoutRunColumns,
} from '../../schema/payout-runs.ts';
import type { FileLine } from './forms/form.ts';
import type { PayoutRow } from './rules.ts';
import type {
  LineResult,
  PayoutLine,
  PayoutRun,
  PayoutRunCreate,
  PayoutRunWithLines,
} from './run-schemas.ts';

type Own = 'id' | 'run_id' | 'affiliate_id' | 'status' | 'reference' | 'reason' | 'result_at';

/** A line with its amounts: in a draft from its commissions, later from its stored columns. */
export interface LineRow extends Pick<PayoutLineColumns, Own | 'tell_at'> {
  readonly display_name: string;
  readonly amount: number;
  readonly commissions: number;
  readonly carried_over: number;
  readonly issues: PayoutIssue[];
  readonly payable: boolean;
  readonly account: PayeeAccount | null;
}

/** `moves` counts the changes to the sums of a draft. */
export type RunTotals = PayoutRun['totals'] & { readonly moves: number };

export interface RunRow {
  readonly run: PayoutRunColumns;
  readonly totals: RunTotals;
}

/** Days for which a changed account counts as new. */
export const newAccountDays = 14;

/** Seconds after which affiliates are notified of a payout without a result. */
const toldAfter = 3 * 86_400;

export const tellAt = (now: Date) => addSeconds(now.toISOString(), toldAfter);

export const toPayoutLine = ({ display_name, account, ...line }: LineRow): PayoutLine => ({
  ...line,
  affiliate: { id: line.affiliate_id, display_name },
  account: account?.bank ?? null,
  account_text: account?.text ?? null,
});

/** The version also counts changes to the sums of a draft. */
export const toPayoutRun = ({ run, totals }: RunRow): PayoutRun => ({
  ...run,
  totals,
  version: run.version + totals.moves,
});

export const withLines = (row: RunRow, lines: readonly LineRow[]): PayoutRunWithLines => ({
  ...toPayoutRun(row),
  lines: lines.map(toPayoutLine),
});

export const newRun = (
  { until, minimum = 0 }: PayoutRunCreate,
  found: { id: number; currency: string; left_over: number },
  now: Date,
): PayoutRunColumns => ({
  ...found,
  status: 'draft',
  until: until ?? null,
  minimum,
  confirmed_at: null,
  discarded_at: null,
  ...firstVersion(now.toISOString()),
});

/** Leaves out lines that have an obstacle. */
export const confirmedRun = ({ run, totals }: RunRow, now: Date): RunRow => ({
  run: {
    ...run,
    status: 'confirmed',
    confirmed_at: now.toISOString(),
    ...nextVersion(run, now),
  },
  totals,
});

export const confirmedLine = (line: LineRow): LineRow => ({
  ...line,
  status: line.payable ? 'confirmed' : 'left-out',
  account: line.payable ? line.account : null,
});

/** Removes all lines. The version is higher than any shown before. */
export const discardedRun = ({ run, totals }: RunRow, now: Date): RunRow => ({
  run: {
    ...run,
    status: 'discarded',
    discarded_at: now.toISOString(),
    ...nextVersion({ version: run.version + totals.moves }, now),
  },
  totals: {
    lines: 0,
    payable: 0,
    amount: 0,
    commissions: 0,
    paid: 0,
    returned: 0,
    returned_amount: 0,
    moves: 0,
  },
});

/** For changes to lines after the confirmation. */
export const touchedRun = ({ run, totals }: RunRow, now: Date): RunRow => ({
  run: { ...run, ...nextVersion(run, now) },
  totals,
});

export interface PaidLine {
  readonly line: LineRow;
  readonly payout: PayoutRow;
}

type ResultRefusal = Refusal<
  'rest_not_found' | 'payout_run_open' | 'payout_line_left_out' | 'payout_line_returned'
>;

/** Returns the same line if nothing changes. */
export function decideResult(
  line: LineRow | undefined,
  payout: PayoutRow | undefined,
  { result, reference, reason }: LineResult,
  now: Date,
): PaidLine | ResultRefusal {
  if (!line) return refuse('rest_not_found', { message: 'The run has no line with this id.' });
  if (line.status === 'draft') return refuse('payout_run_open');
  if (line.status === 'left-out' || !payout) return refuse('payout_line_left_out');
  if (line.status === 'returned' && result === 'paid') return refuse('payout_line_returned');
  const isSaid = line.status === result && (reference ?? line.reference) === line.reference;
  if (isSaid) return { line, payout };
  const at = now.toISOString();
  const isReturned = result === 'returned';
  return {
    line: {
      ...line,
      status: result,
      account: null,
      tell_at: null,
      result_at: line.status === result ? line.result_at : at,
      reference: reference ?? line.reference,
      reason: isReturned ? (reason ?? line.reason) : null,
    },
    payout: {
      ...payout,
      payout: {
        ...payout.payout,
        reference: reference ?? payout.payout.reference,
        ...(isReturned && { status: 'cancelled', cancelled_at: payout.payout.cancelled_at ?? at }),
        ...nextVersion(payout.payout, now),
      },
    },
  };
}

export function toFileLine(
  { run }: RunRow,
  line: LineRow,
  store: { store_name: string; currency_exponent: number | null },
): FileLine {
  const draft = run.status === 'draft' ? 'DRAFT ' : '';
  return {
    ...line,
    name: line.display_name,
    amount: decimalText(line.amount, store.currency_exponent ?? 0),
    currency: run.currency,
    account_text: line.account?.text ?? '',
    bank: line.account?.bank ?? null,
    reference: line.reference ?? '',
    remark: `${draft}${run.id}-${line.id} ${store.store_name}`.slice(0, 100),
  };
}
