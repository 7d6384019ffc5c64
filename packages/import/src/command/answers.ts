import type { Answers } from '../importer.ts';

/** What each option of a shop may say, and how that is told; the others are checked where they are read. */
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
 * What was said of a shop on the command line, as importers take it: for them any word on administrators keeps them.
 * @throws Error naming the first option that says nothing it can
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
