import type { Answers } from '../importer.ts';

/** The form of a shop's options, and its description; the others are checked by their readers. */
const accepted: Readonly<Record<string, { is: (text: string) => boolean; says: string }>> = {
  administrators: { is: (text) => ['yes', 'no'].includes(text), says: 'yes or no' },
  exponent: { is: (text) => /^[0-4]$/.test(text), says: 'a number of decimals, from 0 to 4' },
  timezone: { is: isTimezone, says: 'a time zone such as Asia/Jakarta' },
};

function isTimezone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/**
 * Checks the options of a shop. Importers take any answer about administrators as yes, so `no` is left out.
 * @throws Error naming the first option with an invalid value
 */
export function answersOf(given: Answers): Answers {
  for (const [name, text] of Object.entries(given)) {
    const rule = accepted[name];
    if (rule && text !== undefined && !rule.is(text))
      throw new Error(`--${name} ${text}: say ${rule.says}.`);
  }
  const { administrators, ...others } = given;
  return administrators === 'yes' ? given : others;
}
