import type * as z from 'zod';
import { accessEvent } from '../resources/access/events.ts';
import { commissionEvent } from '../resources/commissions/events.ts';
import { confirmationEvent } from '../resources/confirmations/events.ts';
import { couponEvent } from '../resources/coupons/events.ts';
import { licenseEvent } from '../resources/licenses/events.ts';
import { orderEvent } from '../resources/orders/events.ts';
import { payoutEvent } from '../resources/payouts/events.ts';
import { productEvent } from '../resources/products/events.ts';
import { refundEvent } from '../resources/refunds/events.ts';
import { subscriptionEvent } from '../resources/subscriptions/events.ts';
import { reminderEvent } from '../resources/reminders/events.ts';
import { userEvent } from '../resources/users/events.ts';
import { webhookEvent } from './webhook-events.ts';

/** Every event there is, by name: what it means and the record it carries. */
export const catalogue = {
  ...accessEvent.declared,
  ...commissionEvent.declared,
  ...confirmationEvent.declared,
  ...couponEvent.declared,
  ...licenseEvent.declared,
  ...orderEvent.declared,
  ...payoutEvent.declared,
  ...productEvent.declared,
  ...refundEvent.declared,
  ...reminderEvent.declared,
  ...subscriptionEvent.declared,
  ...userEvent.declared,
  ...webhookEvent.declared,
} as const satisfies Record<string, { summary: string; payload: z.ZodType }>;

type EventName = keyof typeof catalogue;
type Pattern = EventName | `${string}.*` | '*';

const names = Object.keys(catalogue) as EventName[];
const resources = names.filter((name) => name.includes('.')).map((name) => name.split('.')[0]);

/** What a webhook can ask for: an event, all of a resource, all. */
export const eventPatterns: [Pattern, ...Pattern[]] = [
  '*',
  ...[...new Set(resources)].map((resource) => `${resource}.*` as const),
  ...names,
];
