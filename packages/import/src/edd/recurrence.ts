import type { Recurrence, Span } from '../records/recurrence.ts';
import type { SaleValues } from '../sale-values.ts';
import type { PhpArray } from '../serialized.ts';
import { asText, entryOf, phpArray } from '../values.ts';

export const periods: Readonly<Record<string, Span>> = {
  day: { duration: 1, period: 'daily' },
  week: { duration: 7, period: 'daily' },
  month: { duration: 1, period: 'monthly' },
  quarter: { duration: 3, period: 'monthly' },
  'semi-year': { duration: 6, period: 'monthly' },
  year: { duration: 1, period: 'yearly' },
};

/** The terms of a download without price options, by Recurring Payments; null if it is charged once. */
export function recurrenceOfDownload(
  meta: ReadonlyMap<string, string>,
  values: SaleValues,
): Recurrence | null {
  const trial = phpArray(meta.get('edd_trial_period') ?? null) ?? {};
  return recurrenceOf(
    {
      recurring: meta.get('edd_recurring'),
      period: meta.get('edd_period'),
      times: meta.get('edd_times'),
      fee: meta.get('edd_signup_fee'),
      trial: asText(trial['quantity']),
      trialUnit: asText(trial['unit']),
    },
    values,
  );
}

/** The terms of a price option. */
export const recurrenceOfOption = (option: PhpArray, values: SaleValues): Recurrence | null =>
  recurrenceOf(
    {
      recurring: asText(option['recurring']),
      period: asText(option['period']),
      times: asText(option['times']),
      fee: asText(option['signup_fee']),
      trial: asText(option['trial-quantity']),
      trialUnit: asText(option['trial-unit']),
    },
    values,
  );

type Texts = Readonly<
  Record<'recurring' | 'period' | 'times' | 'fee' | 'trial' | 'trialUnit', string | undefined>
>;

function recurrenceOf(texts: Texts, values: SaleValues): Recurrence | null {
  if (texts.recurring !== 'yes') return null;
  const times = values.limit(texts.trial);
  const unit = entryOf(periods, texts.trialUnit);
  return {
    term: entryOf(periods, texts.period),
    payments: values.limit(texts.times),
    signupFee: values.amount(texts.fee),
    trial: times > 0 ? unit && { ...unit, duration: unit.duration * times } : null,
  };
}
