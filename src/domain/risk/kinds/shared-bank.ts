import { isSameAccount } from './account.ts';
import type { RiskRule } from './suspect.ts';

export const sharedBank: RiskRule = {
  kind: 'shared-bank',
  find: ({ affiliate, others }) => others.filter((other) => isSameAccount(affiliate, other)),
};
