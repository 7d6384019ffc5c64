import type * as z from 'zod';
import { accessEvent } from '../access/events.ts';
import { commissionEvent } from '../commission/events.ts';
import { confirmationEvent } from '../confirmation/events.ts';
import { couponEvent } from '../coupon/events.ts';
import { licenseEvent } from '../license/events.ts';
import { messageEvent } from '../message/events.ts';
import { orderEvent } from '../order/events.ts';
import { mutationEvent } from '../payment/mutation-events.ts';
import { paymentEvent } from '../payment/events.ts';
import { payoutEvent } from '../payout/events.ts';
import { payoutRunEvent } from '../payout/run-events.ts';
import { productEvent } from '../product/events.ts';
import { refundEvent } from '../refund/events.ts';
import { subscriptionEvent } from '../subscription/events.ts';
import { reminderEvent } from '../reminder/events.ts';
import { riskEvent } from '../risk/events.ts';
import { userEvent } from '../user/events.ts';
import type { ReadScope } from '../../kernel/events/define.ts';
import { patternsFor } from '../../kernel/events/outbox.ts';
import { webhookEvent } from '../../kernel/events/webhook-events.ts';

/** The meaning of each event, its record, and the scope that reads the record. */
export const catalogue = {
  ...accessEvent.declared,
  ...commissionEvent.declared,
  ...confirmationEvent.declared,
  ...couponEvent.declared,
  ...licenseEvent.declared,
  ...messageEvent.declared,
  ...mutationEvent.declared,
  ...orderEvent.declared,
  ...paymentEvent.declared,
  ...payoutEvent.declared,
  ...payoutRunEvent.declared,
  ...productEvent.declared,
  ...refundEvent.declared,
  ...reminderEvent.declared,
  ...riskEvent.declared,
  ...subscriptionEvent.declared,
  ...userEvent.declared,
  ...webhookEvent.declared,
} as const satisfies Record<string, { summary: string; payload: z.ZodType; scope: ReadScope }>;

type EventName = keyof typeof catalogue;
type Pattern = EventName | `${string}.*` | '*';

export const eventNames = Object.keys(catalogue) as [EventName, ...EventName[]];

const resources = eventNames.filter((name) => name.includes('.')).map((name) => name.split('.')[0]);

/** An event, all events of a resource, or all events. */
export const eventPatterns: [Pattern, ...Pattern[]] = [
  '*',
  ...[...new Set(resources)].map((resource) => `${resource}.*` as const),
  ...eventNames,
];

const scopes: ReadonlyMap<string, ReadScope> = new Map(
  eventNames.map((name) => [name, catalogue[name].scope]),
);

/** Undefined for an unknown event. */
export const scopeOf = (event: string): ReadScope | undefined => scopes.get(event);

/** The scopes that read all events named or matched by patterns. */
export const scopesOf = (patterns: readonly string[]): ReadScope[] => {
  const meant = eventNames.filter((name) =>
    patternsFor(name).some((pattern) => patterns.includes(pattern)),
  );
  return [...new Set(meant.map((name) => catalogue[name].scope))];
};
