import type { Answers } from './importer.ts';

export const shopOptions = {
  timezone: "the shop's time zone, if its settings don't have one (for example Asia/Jakarta)",
  exponent: 'decimals of the currency, if they are unusual (for example 0)',
  status: "the store's statuses for the shop's own: wc-packed=shipping,wc-lost=cancelled",
  administrators: "yes or no: the shop's administrators become the store's as well (no)",
} as const;

/** @throws Error for an answer other than yes */
export function keepsAdministrators({ administrators }: Answers): boolean {
  if (administrators === undefined || administrators === 'yes') return administrators === 'yes';
  throw new Error(`--administrators ${administrators}: say yes, or leave it out to have none.`);
}
