import { isSameMailbox } from './mailbox.ts';
import { type RiskRule, buyerIf } from './suspect.ts';

/** The buyer has the affiliate's mailbox. */
export const selfEmail: RiskRule = {
  kind: 'self-email',
  find: (suspect) => buyerIf(isSameMailbox(suspect.affiliate.email, suspect.buyer.email), suspect),
};
