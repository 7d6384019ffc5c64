import { type RiskRule, type Suspect, buyerIf } from './suspect.ts';

type Sales = Pick<Suspect, 'recent' | 'settings' | 'now'>;

const recentOf = ({ recent, settings, now }: Sales): number => {
  const since = now.getTime() - settings.velocity_hours * 3_600_000;
  return recent.filter((at) => at > since).length;
};

/** Tells if the buyer has placed fewer orders through the affiliate than make the next one suspicious. */
export const isBelowVelocity = (sales: Sales): boolean =>
  recentOf(sales) < sales.settings.velocity_orders;

/** The buyer orders unusually often through the order's affiliate. */
export const velocity: RiskRule = {
  kind: 'velocity',
  find: (suspect) => {
    const { tier, settings } = suspect;
    return buyerIf(
      tier === 1 && settings.velocity_orders > 0 && !isBelowVelocity(suspect),
      suspect,
    );
  },
};
