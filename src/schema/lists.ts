/**
 * The closed lists of the domain. The database's CHECKs, the request and reply schemas and the rules all derive from
 * them.
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

/** The statuses of orders, in the groups that a list can be filtered by. */
export const statusGroupMembers = {
  unpaid: ['on-hold', 'payment-confirm'],
  processing: ['in-progress', 'shipping'],
  completed: ['completed'],
  closed: ['refunded', 'cancelled'],
} as const;

const { unpaid, processing, completed, closed } = statusGroupMembers;

export const orderStatuses = [...unpaid, ...processing, ...completed, ...closed] as const;

/** The statuses that count as paid: money has come in, or comes in on delivery. */
export const paidStatuses = [...processing, ...completed] as const;

/** The statuses of orders with work left to do. */
export const openStatuses = [...unpaid, ...processing] as const;

export const paymentStatuses = [
  'unpaid',
  'in-review',
  'paid',
  'partially-refunded',
  'refunded',
  'void',
] as const;

export const attributionSources = ['coupon', 'explicit', 'link', 'sponsor', 'none'] as const;

export type UserRole = (typeof userRoles)[number];

export type ProductType = (typeof productTypes)[number];

export type OrderType = (typeof orderTypes)[number];

export type OrderStatus = (typeof orderStatuses)[number];

export type PaymentStatus = (typeof paymentStatuses)[number];

export type StatusGroup = keyof typeof statusGroupMembers;

export const statusGroups = Object.keys(statusGroupMembers) as [StatusGroup, ...StatusGroup[]];

export const couponStatuses = ['active', 'pending', 'need-approve'] as const;

/** States of a coupon at a moment, from its status, dates and usage. */
export const couponStates = ['scheduled', 'active', 'exhausted', 'expired', 'off'] as const;

export type CouponState = (typeof couponStates)[number];

export const licenseStatuses = ['pending', 'active', 'inactive'] as const;

export type LicenseStatus = (typeof licenseStatuses)[number];

export const confirmationStatuses = ['pending', 'approved', 'rejected', 'superseded'] as const;

/** `sale`: an order's commission for a tier; `refund-adjustment`: a later correction of it. */
export const commissionKinds = ['sale', 'refund-adjustment', 'manual'] as const;

export const commissionStatuses = ['pending', 'added', 'cancelled'] as const;

export type CommissionStatus = (typeof commissionStatuses)[number];

/** States of a commission at a moment, from its status, its payment and its hold. */
export const commissionStates = ['pending', 'held', 'payable', 'paid', 'cancelled'] as const;

export type CommissionState = (typeof commissionStates)[number];

export const rateSources = ['product', 'group', 'group-product', 'manual'] as const;

/** Kinds of risks about a pair of affiliates, which has one risk at a time. */
export const pairKinds = ['shared-bank', 'other-account'] as const;

export const riskKinds = [
  'self-email',
  'self-phone',
  'same-bank',
  ...pairKinds,
  'velocity',
] as const;

export type RiskKind = (typeof riskKinds)[number];

/** `void`: its order ended, or counts for somebody else. */
export const riskStatuses = ['open', 'cleared', 'confirmed', 'void'] as const;

export type RiskStatus = (typeof riskStatuses)[number];

export const payoutStatuses = ['paid', 'cancelled'] as const;

export const payoutRunStatuses = ['draft', 'confirmed', 'discarded'] as const;

/** `left-out`: it had an obstacle when its run was confirmed · `confirmed`: it has no result yet. */
export const payoutLineStatuses = ['draft', 'left-out', 'confirmed', 'paid', 'returned'] as const;

export type PayoutLineStatus = (typeof payoutLineStatuses)[number];

export const payoutResults = ['paid', 'returned'] as const;

/** Reasons that keep a line of a payout run from being paid. */
export const payoutObstacles = [
  'no-account',
  'blocked',
  'erased',
  'nothing-due',
  'below-minimum',
] as const;

/** Notes on a line of a payout run: its obstacles, and warnings to check before it is paid. */
export const payoutIssues = [
  ...payoutObstacles,
  'account-changed',
  'account-as-text',
  'open-risk',
] as const;

export type PayoutIssue = (typeof payoutIssues)[number];

export const reminderTypes = ['order', 'recurring'] as const;

export const reminderDirections = ['before', 'after'] as const;

export const messageMedia = ['email', 'whatsapp', 'sms'] as const;

export type MessageMedium = (typeof messageMedia)[number];

/** The media that the service sends by; the others only carry reminders. */
export const templateMedia = ['email', 'whatsapp'] as const;

export type TemplateMedium = (typeof templateMedia)[number];

/** Kinds of messages to buyers about their orders and payments. */
export const orderMessageKinds = [
  'order-placed',
  'payment-received',
  'order-in-progress',
  'order-shipped',
  'order-completed',
  'order-cancelled',
  'order-refunded',
  'confirmation-rejected',
] as const;

/** Kinds of messages to the seller; beyond an hourly limit of a kind they are gathered in a summary. */
export const noticeKinds = [
  'new-order',
  'new-confirmation',
  'unexpected-payment',
  'webhook-paused',
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** Kinds of messages with templates: to buyers, to affiliates and, from `new-order` on, to the seller. */
export const templateKinds = [
  'welcome',
  ...orderMessageKinds,
  'subscription-ending',
  'subscription-ended',
  'subscription-cancelled',
  'payment-overdue',
  'commission-earned',
  'commission-paid',
  'bank-account-changed',
  ...noticeKinds,
  'seller-summary',
  'store-alert',
] as const;

export type TemplateKind = (typeof templateKinds)[number];

export const statusFigures = [
  'undelivered_event_age',
  'failing_webhooks',
  'stuck_payments',
  'stuck_messages',
  'unsent_refunds',
  'backup_age',
  'database_size',
] as const;

export type StatusFigure = (typeof statusFigures)[number];

/** Kinds of messages that let a person into the console, or report that somebody came in. */
export const signInKinds = ['sign-in-link', 'sign-in-code', 'signed-in'] as const;

export type SignInKind = (typeof signInKinds)[number];

/** Kinds of messages: those of templates and of signing in, a reminder, and a test of a template. */
export const messageKinds = [...templateKinds, ...signInKinds, 'reminder', 'test'] as const;

export type MessageKind = (typeof messageKinds)[number];

/**
 * `queued`: it waits, or is being sent · `sent`: the provider accepted it · `suppressed`: its address is suppressed ·
 * `gathered`: a summary reports it, along with others.
 */
export const messageStatuses = [
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'suppressed',
  'cancelled',
  'gathered',
] as const;

export type MessageStatus = (typeof messageStatuses)[number];

/** Reasons of a suppression; `unsubscribed` holds only for messages that aren't transactional. */
export const suppressionReasons = ['bounced', 'complained', 'unsubscribed'] as const;

export type SuppressionReason = (typeof suppressionReasons)[number];

export const languages = ['en', 'id'] as const;

export type Language = (typeof languages)[number];

export const reminderStatuses = ['pending', 'sending', 'sent', 'failed', 'cancelled'] as const;

export const priceLineKinds = [
  'product',
  'variant',
  'signup',
  'discount',
  'shipping',
  'fee',
  'tax',
] as const;
