export const verdicts = {
  VALID: 'The licence is valid.',
  PENDING: 'The licence waits for its payment.',
  INACTIVE: 'The licence is not active.',
  EXPIRED: 'The licence has expired.',
  SUBSCRIPTION_INACTIVE: 'The subscription of the licence is not active.',
  ORDER_NOT_COMPLETED: 'The order of the licence is not completed.',
  NO_ACTIVATION: 'The licence is not registered anywhere.',
  STRING_MISMATCH: 'The licence is registered elsewhere, and not for this string.',
  PRODUCT_MISMATCH: 'The licence is for another product.',
  USER_MISMATCH: 'The licence belongs to another user.',
  LIMIT_REACHED: 'The licence is already registered for as many sites as it allows.',
} as const;

export type Verdict = keyof typeof verdicts;
export const verdictCodes = Object.keys(verdicts) as [Verdict, ...Verdict[]];
