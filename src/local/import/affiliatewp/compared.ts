/**
 * The plugin's side of the comparison.
 * @param money how an amount's column is read, in SQL
 * @param product a query of the product of the order `r.reference`
 */
export const comparedReferrals = (money: (column: string) => string, product: string) => ({
  payouts: `
    select p.payout_id as id, a.user_id as affiliate, 'paid' as status, ${money('p.amount')} as amount
      from affiliate_wp_payouts p left join affiliate_wp_affiliates a on a.affiliate_id = p.affiliate_id`,
  commissions: `
    with recursive tiers (id, tier) as (
      select referral_id, 1 from affiliate_wp_referrals where coalesce(parent_id, '0') in ('0', '')
      union all
      select r.referral_id, t.tier + 1 from affiliate_wp_referrals r join tiers t on t.id = r.parent_id)
    select r.referral_id as id, r.reference as "order", a.user_id as affiliate, (${product}) as product,
           coalesce(t.tier, 1) as tier,
           case r.status when 'pending' then 'pending' when 'rejected' then 'cancelled'
             when 'failed' then 'cancelled' else 'added' end as status,
           r.status = 'paid' as paid,
           case when r.status = 'paid' then nullif(cast(r.payout_id as integer), 0) end as payout,
           ${money('r.amount')} as amount
      from affiliate_wp_referrals r
      left join affiliate_wp_affiliates a on a.affiliate_id = r.affiliate_id
      left join tiers t on t.id = r.referral_id`,
});

/** The id of the user who brought the user `u.ID`, where the add-on for levels keeps it. */
export const sponsorOfUser = `(
  select cast(p.user_id as integer) from affiliate_wp_affiliates a
    join affiliate_wp_mlm_connections m on m.affiliate_id = a.affiliate_id
    join affiliate_wp_affiliates p on p.affiliate_id = m.affiliate_parent_id
   where a.user_id = u.ID)`;

/** Whether the user `u.ID` may sell. */
export const isAffiliate = `u.ID in (select user_id from affiliate_wp_affiliates where status = 'active')`;
