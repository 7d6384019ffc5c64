import { commissions, payouts } from '../../../schema/commissions.ts';
import { type OwnIds, ownIds } from '../own-ids.ts';
import { type Mentions, mentionsOf } from '../mentions.ts';

/** Orders that referrals of a shop's plugin name. */
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

/** Which rows of the plugin are what. */
export const affiliateIds: readonly OwnIds[] = [
  { entity: 'users', table: 'affiliate_wp_affiliates', prefix: 'affiliate ' },
  ...ownIds({ payouts: 'affiliate_wp_payouts', commissions: 'affiliate_wp_referrals' }),
];
