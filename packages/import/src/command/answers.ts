import type { Answers } from '../importer.ts';
import { orderStatuses } from '../../../../src/exports/store.ts';
import { UsageError } from '../../../../src/exports/command.ts';

/** The valid values of options, each with a description for errors. */
const accepted: Readonly<Record<string, { is: (text: string) => boolean; says: string }>> = {
  administrators: { is: (text) => ['yes', 'no'].includes(text), says: 'yes or no' },
  exponent: { is: (text) => /^[0-4]$/.test(text), says: 'a number of decimals, from 0 to 4' },
  status: {
    is: isStatuses,
    says: `pairs like wc-packed=shipping, each with one of ${orderStatuses.join(', ')} after the =`,
  },
  timezone: { is: isTimezone, says: 'a time zone such as Asia/Jakarta' },
};

function isStatuses(text: string): boolean {
  const known: readonly string[] = orderStatuses;
  return text.split(',').every((pair) => known.includes(pair.split('=')[1] ?? ''));
}

function isTimezone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/**
 * Checks the options of a shop, and leaves out those that were not given.
 * @throws UsageError for an invalid value
 */
export function answersOf(given: Answers): Answers {
  const said = Object.entries(given).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text] as const],
  );
  for (const [name, text] of said) {
    const rule = accepted[name];
    if (rule && !rule.is(text)) throw new UsageError(`--${name} ${text}: say ${rule.says}.`);
  }
  return Object.fromEntries(said);
}
