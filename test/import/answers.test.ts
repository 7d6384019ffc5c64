import { describe, expect, test } from 'vitest';
import { answersOf } from '../../packages/import/src/command/answers.ts';

describe('The answers about a shop on the command line', () => {
  test.each([
    [{ administrators: 'yes' }, { administrators: 'yes' }],
    [{ administrators: 'no' }, { administrators: 'no' }],
    [{ administrators: undefined, timezone: 'Asia/Jakarta' }, { timezone: 'Asia/Jakarta' }],
    [{ exponent: '0' }, { exponent: '0' }],
  ])('%o is taken as %o', (given, taken) => {
    expect(answersOf(given)).toEqual(taken);
  });

  test.each([
    [{ administrators: 'maybe' }, '--administrators maybe: say yes or no.'],
    [{ administrators: '' }, 'yes or no'],
    [{ exponent: '99' }, 'from 0 to 4'],
    [{ exponent: '2.5' }, 'from 0 to 4'],
    [{ timezone: 'Mars/Base' }, '--timezone Mars/Base: say a time zone such as Asia/Jakarta.'],
  ])('%o is refused', (given, says) => {
    expect(() => answersOf(given)).toThrow(says);
  });
});
