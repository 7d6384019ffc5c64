import type * as z from 'zod';
import type { RefundRow, SessionRow } from '../../schema/payments.ts';
import type { Refund } from './schemas.ts';

/** A refund as it is shown. @param state where its money is; none where nobody but the store can send it */
export const shownRefund = (
  row: RefundRow,
  state: z.output<typeof Refund>['state'],
): z.output<typeof Refund> => ({ ...row, state });

/** Where the money of a refund is that was just made. @param session the payment that paid its order */
export const firstState = (
  session: Pick<SessionRow, 'refundable'> | undefined,
  refundedThere: boolean,
): z.output<typeof Refund>['state'] => {
  if (refundedThere) return 'succeeded';
  return session?.refundable ? 'requested' : 'manual';
};
