import { commissions, payouts } from '../../../../src/exports/store.ts';
import { type Mentions, mentionsOf } from '../mentions.ts';

export const referredOrders = (context: string): string =>
  `select reference from affiliate_wp_referrals where context = '${context}'`;

export const affiliatedUsers = 'select user_id from affiliate_wp_affiliates';

export const affiliateMentions: readonly Mentions[] = [
  mentionsOf(commissions, [
    'select referral_id from affiliate_wp_referrals',
    'select parent_id from affiliate_wp_referrals',
    'select j.value from affiliate_wp_payouts p, json_each(ids_in(p.referrals)) j',
  ]),
  mentionsOf(payouts, [
    'select payout_id from affiliate_wp_payouts',
    'select payout_id from affiliate_wp_referrals',
  ]),
];
