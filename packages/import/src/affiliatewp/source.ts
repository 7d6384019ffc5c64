import { type SourceTable, words } from '../source.ts';

/** The tables of AffiliateWP. Visits are not imported. */
export const affiliateTables = {
  affiliate_wp_affiliates: {
    columns: words('affiliate_id user_id rate rate_type flat_rate_basis payment_email status'),
    id: 'affiliate_id',
    index: ['affiliate_id'],
    optional: true,
  },
  affiliate_wp_referrals: {
    columns: words(
      'referral_id affiliate_id parent_id status amount currency context reference products',
      'payout_id date',
    ),
    id: 'referral_id',
    index: ['reference'],
    optional: true,
  },
  affiliate_wp_payouts: {
    columns: words('payout_id affiliate_id referrals amount payout_method status date'),
    id: 'payout_id',
    index: ['payout_id'],
    optional: true,
  },
  affiliate_wp_coupons: {
    columns: ['coupon_id', 'affiliate_id', 'coupon_code'],
    id: 'coupon_id',
    index: ['coupon_code'],
    optional: true,
  },
  /** Sponsors, from an add-on for levels. */
  affiliate_wp_mlm_connections: {
    columns: ['affiliate_id', 'affiliate_parent_id', 'direct_affiliate_id'],
    index: ['affiliate_id'],
    optional: true,
  },
} as const satisfies Record<string, SourceTable>;

/** The imported fields of AffiliateWP's settings, by option. */
export const affiliateSettings = {
  affwp_settings: words(
    'referral_rate referral_rate_type flat_rate_basis coupon_template_woocommerce',
    'mlm_rates affwp_mlm_referral_rate affwp_mlm_referral_rate_type affwp_mlm_integrations',
    'affwp_mlm_matrix_depth affwp_mlm_upline_basis',
  ),
} as const;

export const affiliateCouponKey = 'affwp_discount_affiliate';
