import { isSameAccount } from './account.ts';
import { type RiskRule, buyerIf } from './suspect.ts';

export const sameBank: RiskRule = {
  kind: 'same-bank',
  find: (suspect) => buyerIf(isSameAccount(suspect.affiliate, suspect.buyer), suspect),
};
