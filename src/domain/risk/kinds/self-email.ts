import { isSameMailbox } from './mailbox.ts';
import { type RiskRule, buyerIf } from './suspect.ts';

export const selfEmail: RiskRule = {
  kind: 'self-email',
  find: (suspect) => buyerIf(isSameMailbox(suspect.affiliate.email, suspect.buyer.email), suspect),
};
