import { type Answers, type Preflight, answeredStatuses } from './importer.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

export const shopOptions = {
  timezone: "the shop's time zone, if its settings don't have one (for example Asia/Jakarta)",
  exponent: 'decimals of the currency, if they are unusual (for example 0)',
  status: "the store's statuses for the shop's own: wc-packed=shipping,wc-lost=cancelled",
  administrators: "yes or no: the shop's administrators become the store's as well (no)",
} as const;

interface AnsweredPlan {
  readonly timezone: string;
  readonly exponent: number;
  readonly keepsAdministrators: boolean;
}

/** Returns the answers that a plan follows. Those about statuses are sorted, because their order doesn't matter. */
export function followedAnswers(
  { facts }: Staging<Source>,
  { timezone, exponent, keepsAdministrators }: AnsweredPlan,
  given: Answers,
): Preflight<unknown>['answers'] {
  const statuses = [...answeredStatuses(given)].map(([theirs, ours]) => `${theirs}=${ours}`);
  return {
    prefix: facts.prefix,
    timezone,
    exponent: String(exponent),
    status: statuses.sort().join(),
    administrators: keepsAdministrators ? 'yes' : 'no',
  };
}
