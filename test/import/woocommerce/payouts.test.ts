import { expect } from 'vitest';
import { long } from '../../harness/long.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const referral = (referral_id: number, reference: number, payout_id: number) =>
  cellsOf({
    ...{ referral_id, reference, payout_id, affiliate_id: 3, parent_id: 0, status: 'paid' },
    ...{ amount: '1.00', currency: 'EUR', context: 'woocommerce', date: '2024-06-01 10:00:00' },
  });

const payout = (payout_id: number, amount: string, status = 'paid') =>
  cellsOf({ payout_id, affiliate_id: 3, amount, status, date: '2024-07-01 10:00:00' });

long(
  'a payout is imported if it paid exactly the imported commissions; these are paid in any case',
  async () => {
    const sold = { email: 'ada@people.example', total: '10.00', paid: true, completed: true };
    const shop = madeShop(
      {
        users: [{ id: 3, email: 'seller@people.example' }],
        orders: [10, 20, 30, 40].map((id) => ({ ...sold, id })),
        more: {
          affiliate_wp_affiliates: [cellsOf({ affiliate_id: 3, user_id: 3, status: 'active' })],
          affiliate_wp_referrals: [
            ...[referral(1, 10, 1), referral(2, 20, 2), referral(3, 99, 2)],
            ...[referral(4, 30, 3), referral(5, 40, 4)],
          ],
          affiliate_wp_payouts: [payout(1, '1.00'), payout(2, '2.00'), payout(3, '1.00', 'failed')],
        },
      },
      true,
    );
    writeDump(dumpPath('payouts.sql'), shop);
    const store = await moved(woocommerceImporter, dumpPath('payouts.sql'));
    expect(
      await store.query(
        `select id::int, payout_id::int as payout, paid_at is not null as paid from commissions order by id`,
      ),
    ).toEqual([
      { id: 1, payout: 1, paid: true },
      ...[2, 4, 5].map((id) => ({ id, payout: null, paid: true })),
    ]);
    const reasonsOf = (entity: string, ids: readonly number[]) =>
      ids.map((id) => store.reported(entity, id)?.reason);
    expect(reasonsOf('payouts', [1, 2, 3])).toEqual([null, 'payout-differs', 'payout-not-paid']);
    for (const [id, reason] of [
      [2, 'payout-differs'],
      [4, 'payout-not-paid'],
      [5, 'payout-differs'],
    ] as const)
      expect(store.reported('commissions', id)?.reason?.split(' ')).toContain(reason);
  },
);
