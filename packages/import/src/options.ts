import type { Answers } from './importer.ts';

/** The options for all shops of WordPress, each with its description. */
export const shopOptions = {
  timezone: "the shop's time zone, if its settings don't have one (for example Asia/Jakarta)",
  exponent: 'decimals of the currency, if they are unusual (for example 0)',
  status: "what the shop's own statuses are with us: wc-packed=shipping,wc-lost=cancelled",
  administrators: "yes or no: whether the shop's administrators are the store's as well (no)",
} as const;

/**
 * Tells if administrators of the shop become the store's as well.
 * @throws Error for an answer other than yes
 */
export function keepsAdministrators({ administrators }: Answers): boolean {
  if (administrators === undefined || administrators === 'yes') return administrators === 'yes';
  throw new Error(`--administrators ${administrators}: say yes, or leave it out to have none.`);
}
