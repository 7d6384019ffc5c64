/**
 * The plugin's payouts and commissions, for the comparison.
 * @param money returns SQL that reads an amount
 * @param product selects the product of the order `r.reference`
 */
export const comparedReferrals = (money: (column: string) => string, product: string) => ({
  payouts: `
    select p.payout_id as id, id_of(a.user_id) as affiliate, 'paid' as status, ${money('p.amount')} as amount
      from affiliate_wp_payouts p left join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(p.affiliate_id) as text)`,
  commissions: `
    with recursive child as materialized (
      select referral_id as id, cast(id_of(parent_id) as text) as parent from affiliate_wp_referrals),
    tiers (id, tier) as (
      select id, 1 from child where parent is null
      union all
      select c.id, t.tier + 1 from tiers t cross join child c on c.parent = t.id)
    select r.referral_id as id, id_of(r.reference) as "order", id_of(a.user_id) as affiliate, (${product}) as product,
           coalesce(t.tier, 1) as tier,
           case r.status when 'pending' then 'pending' when 'rejected' then 'cancelled'
             when 'failed' then 'cancelled' else 'added' end as status,
           r.status = 'paid' as paid,
           case when r.status = 'paid' then id_of(r.payout_id) end as payout,
           ${money('r.amount')} as amount
      from affiliate_wp_referrals r
      left join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(r.affiliate_id) as text)
      left join tiers t on t.id = r.referral_id`,
});

/** The text of one of AffiliateWP's settings. */
export const affiliateSetting = (name: string) =>
  `(select cast(json_extract(option_value, '$.${name}') as text) from options where option_name = 'affwp_settings')`;

/** A common table expression: the sponsor of each affiliate, both as user ids. */
export const sponsored = `
  sponsored as materialized (
    select cast(id_of(a.user_id) as integer) as user, id_of(p.user_id) as sponsor, min(m.rowid)
      from affiliate_wp_mlm_connections m
      join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(m.affiliate_id) as text)
      join affiliate_wp_affiliates p on p.affiliate_id = cast(id_of(
        case when ${affiliateSetting('affwp_mlm_upline_basis')} = 'direct' then m.direct_affiliate_id
          else m.affiliate_parent_id end) as text)
     where id_of(p.user_id) is not null group by 1)`;

/** Joins the sponsor of the user `u.ID`. */
export const withSponsor = 'left join sponsored on sponsored.user = cast(u.ID as integer)';

export const isAffiliate = `cast(u.ID as integer) in (select id_of(user_id) from affiliate_wp_affiliates where status = 'active')`;
