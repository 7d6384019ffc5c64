import type { Recurrence, Span } from '../records/recurrence.ts';
import type { SaleValues } from '../sale-values.ts';
import { entryOf, wholeOf } from '../values.ts';

const spans: Readonly<Record<string, Span>> = {
  day: { duration: 1, period: 'daily' },
  week: { duration: 7, period: 'daily' },
  month: { duration: 1, period: 'monthly' },
  year: { duration: 1, period: 'yearly' },
};

/** Reads a number of periods; undefined for an unknown period. */
export function spanOf(period: string | undefined, times: string | undefined): Span | undefined {
  const span = entryOf(spans, period);
  return span && { ...span, duration: span.duration * Math.max(1, wholeOf(times ?? null) ?? 1) };
}

/** Types of products that are subscriptions, with variations or without. */
export const isSubscription = (type: string): boolean => type.endsWith('subscription');

/** Reads the terms of a subscription or of one of its variations. */
export function recurrenceOf(meta: ReadonlyMap<string, string>, values: SaleValues): Recurrence {
  const trial = meta.get('_subscription_trial_length');
  return {
    term: spanOf(meta.get('_subscription_period'), meta.get('_subscription_period_interval')),
    payments: values.limit(meta.get('_subscription_length')),
    signupFee: values.amount(meta.get('_subscription_sign_up_fee')),
    trial: values.limit(trial) > 0 ? spanOf(meta.get('_subscription_trial_period'), trial) : null,
  };
}
