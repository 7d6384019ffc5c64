import type { Step, StepContext } from '../importer.ts';
import type { Source } from '../source.ts';
import type { Affiliates } from './affiliates.ts';
import { payoutRows } from './payouts.ts';
import { commissionRowsOf } from './referrals.ts';
import type { ReferralContext } from './referred.ts';

interface Plan {
  readonly currency: string;
  readonly exponent: number;
  readonly affiliates: Affiliates;
}

export function affiliateSteps<S extends Source, C extends Plan>(
  context: ReferralContext['context'],
  reader: (context: StepContext<S, C>) => ReferralContext['read'],
): Step<S, C>[] {
  const referred = (step: StepContext<S, C>): ReferralContext => ({
    ...step,
    affiliates: step.plan.affiliates,
    context,
    read: reader(step),
  });
  return [
    {
      entity: 'payouts',
      ids: [{ entity: 'payouts', table: 'affiliate_wp_payouts' }],
      map: (step) => payoutRows(referred(step)),
    },
    {
      entity: 'commissions',
      ids: [{ entity: 'commissions', table: 'affiliate_wp_referrals' }],
      map: (step) => commissionRowsOf(referred(step)),
    },
  ];
}
