import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const payoutErrors = {
  payout_run_closed: [409, 'The payout run is no longer a draft.'],
  payout_run_open: [409, 'The payout run is a draft: confirm it first.'],
  payout_line_left_out: [
    409,
    'The line was left out when its run was confirmed, so nothing was paid.',
  ],
  payout_line_returned: [
    409,
    'The money of the line was returned, so its commissions are payable again.',
  ],
} as const satisfies ErrorTable;
