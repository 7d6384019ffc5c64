import { isSamePhone } from '../../../lib/phone.ts';
import { isSameMailbox } from './mailbox.ts';
import type { RiskRule } from './suspect.ts';

export const otherAccount: RiskRule = {
  kind: 'other-account',
  find: ({ affiliate, others, settings }) =>
    others.filter(
      ({ email, phone }) =>
        isSameMailbox(affiliate.email, email) ||
        isSamePhone(affiliate.phone, phone, settings.country),
    ),
};
