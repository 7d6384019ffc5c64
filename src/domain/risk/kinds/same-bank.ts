import { isSameAccount } from './account.ts';
import { type RiskRule, buyerIf } from './suspect.ts';

/** The buyer has the affiliate's bank account. */
export const sameBank: RiskRule = {
  kind: 'same-bank',
  find: (suspect) =>
    buyerIf(isSameAccount(suspect.affiliate.bank_info, suspect.buyer.bank_info), suspect),
};
