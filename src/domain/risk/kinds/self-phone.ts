import { isSamePhone } from '../../../lib/phone.ts';
import { type RiskRule, buyerIf } from './suspect.ts';

export const selfPhone: RiskRule = {
  kind: 'self-phone',
  find: (suspect) => {
    const { affiliate, buyer, settings } = suspect;
    return buyerIf(isSamePhone(affiliate.phone, buyer.phone, settings.country), suspect);
  },
};
