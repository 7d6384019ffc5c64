import { isSameMailbox } from './mailbox.ts';
import { type RiskRule, buyerIf } from './suspect.ts';

/** The buyer reads the affiliate's e-mail. */
export const selfEmail: RiskRule = {
  kind: 'self-email',
  find: (suspect) => buyerIf(isSameMailbox(suspect.affiliate.email, suspect.buyer.email), suspect),
};
