import { serialize } from 'php-serialize';
import { type Rows, cellsOf } from '../shops.ts';

const statuses = ['paid', 'paid', 'unpaid', 'unpaid', 'pending', 'rejected', 'failed', 'draft'];

/**
 * Makes AffiliateWP's rows for a shop: its affiliates are the users from 1 on, with a referral for every second order.
 */
export function randomReferrals(
  roll: (sides: number) => number,
  orders: readonly { readonly id: number; readonly product: number }[],
  { context, currency }: { readonly context: string; readonly currency: string },
): Rows {
  const affiliates = Array.from({ length: 6 }, (_, i) => ({
    ...{ affiliate_id: i + 1, user_id: i + 1, rate: i === 2 ? '30' : '' },
    ...{ status: i === 4 ? 'inactive' : 'active', payment_email: `pay${i}@people.example` },
  }));
  const referrals: Record<string, string | number>[] = [];
  for (const { id, product } of orders) {
    if (roll(2) === 0) continue;
    const first = referrals.length + 1;
    for (let tier = 0; tier < 1 + roll(3); tier++)
      referrals.push({
        ...{ referral_id: referrals.length + 1, affiliate_id: 1 + roll(6) },
        ...{ parent_id: tier === 0 ? 0 : first + tier - 1, status: statuses[roll(8)] ?? 'paid' },
        ...{ amount: `${1 + roll(4)}.${10 + roll(90)}`, currency, context },
        ...{ reference: roll(15) === 0 ? '' : id, payout_id: 0, date: '2024-06-01 10:00:00' },
        products: serialize([{ id: product, referral_amount: '1.00' }]),
      });
  }
  return {
    affiliate_wp_affiliates: affiliates.map(cellsOf),
    affiliate_wp_payouts: payoutsOf(referrals).map(cellsOf),
    affiliate_wp_referrals: referrals.map(cellsOf),
    affiliate_wp_coupons: ['SELLER1', 'SPRING'].map((coupon_code, i) =>
      cellsOf({ coupon_id: i + 1, affiliate_id: i + 1, coupon_code }),
    ),
    affiliate_wp_mlm_connections: [2, 3, 4, 5].map((id) =>
      cellsOf({ affiliate_id: id, affiliate_parent_id: id - 1, direct_affiliate_id: 1 }),
    ),
  };
}

/** Payouts of an affiliate's paid referrals; every third has another sum. */
function payoutsOf(referrals: Record<string, string | number>[]) {
  return [1, 2, 3, 4].map((affiliate) => {
    const own = referrals.filter(
      (row) => row['affiliate_id'] === affiliate && row['status'] === 'paid',
    );
    for (const row of own) row['payout_id'] = affiliate;
    const cents = own.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    return {
      ...{ payout_id: affiliate, affiliate_id: affiliate, payout_method: 'manual' },
      ...{ amount: (cents / 100 + (affiliate === 3 ? 1 : 0)).toFixed(2), status: 'paid' },
      ...{
        referrals: own.map(({ referral_id }) => referral_id).join(),
        date: '2024-07-01 10:00:00',
      },
    };
  });
}
