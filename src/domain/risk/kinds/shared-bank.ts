import { isSameAccount } from './account.ts';
import type { RiskRule } from './suspect.ts';

/** Another affiliate is paid to the same bank account. */
export const sharedBank: RiskRule = {
  kind: 'shared-bank',
  find: ({ affiliate, others }) =>
    others.filter(({ bank_info }) => isSameAccount(affiliate.bank_info, bank_info)),
};
