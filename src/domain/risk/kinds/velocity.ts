import { type RiskRule, buyerIf } from './suspect.ts';

/** The buyer orders unusually often through the order's affiliate. */
export const velocity: RiskRule = {
  kind: 'velocity',
  find: (suspect) => {
    const { tier, recent, settings, now } = suspect;
    const since = now.getTime() - settings.velocity_hours * 3_600_000;
    const most = settings.velocity_orders;
    const orders = recent.filter((at) => at > since).length;
    return buyerIf(tier === 1 && most > 0 && orders >= most, suspect);
  },
};
