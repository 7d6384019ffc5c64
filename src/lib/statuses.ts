/**
 * The closed vocabularies of the domain. Each stands here once: the database's CHECKs, the request
 * and reply schemas and the rules all derive from these lists.
 */
export const userRoles = ['administrator', 'shop-manager', 'affiliate', 'member'] as const;
export const userStatuses = ['active', 'blocked', 'anonymised'] as const;

export const productStatuses = ['publish', 'draft', 'private'] as const;
export const productTypes = ['digital', 'physical'] as const;
export const paymentTypes = ['one-time', 'recurring'] as const;

export const orderTypes = [
  'regular',
  'subscription-tryout',
  'subscription-signup',
  'subscription-regular',
] as const;
export const orderStatuses = [
  'on-hold',
  'payment-confirm',
  'in-progress',
  'shipping',
  'completed',
  'refunded',
  'cancelled',
] as const;
export const paymentStatuses = [
  'unpaid',
  'in-review',
  'paid',
  'partially-refunded',
  'refunded',
  'void',
] as const;
export const attributionSources = ['coupon', 'explicit', 'link', 'sponsor', 'none'] as const;
export const actorTypes = ['key', 'user', 'system'] as const;

export type UserRole = (typeof userRoles)[number];
export type UserStatus = (typeof userStatuses)[number];
export type ProductType = (typeof productTypes)[number];
export type OrderType = (typeof orderTypes)[number];
export type OrderStatus = (typeof orderStatuses)[number];
export type PaymentStatus = (typeof paymentStatuses)[number];
export type ActorType = (typeof actorTypes)[number];

/** The groups a list of orders can be filtered by, and the statuses in each. */
export const statusGroupMembers = {
  unpaid: ['on-hold', 'payment-confirm'],
  processing: ['in-progress', 'shipping'],
  completed: ['completed'],
  closed: ['refunded', 'cancelled'],
} as const satisfies Record<string, readonly OrderStatus[]>;
export type StatusGroup = keyof typeof statusGroupMembers;
export const statusGroups = Object.keys(statusGroupMembers) as [StatusGroup, ...StatusGroup[]];

/** The statuses in which money has come in. */
export const paidStatuses = [
  'in-progress',
  'shipping',
  'completed',
] as const satisfies OrderStatus[];
