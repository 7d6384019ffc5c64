import { expect, test } from 'vitest';
import { refusedRollback } from '../../src/cli/store/rollback.ts';

const change = {
  before: '0aa5b6b2-4c0e-4f6e-9e0e-0b8b3a1f7c11',
  ready: '0aa5b6b2-4c0e-4f6e-9e0e-0b8b3a1f7c11',
  hasOtherSecrets: false,
  migrations: ['v1', 'v1'],
} as const;

test('A worker is rolled back only if its secrets and its Durable Objects are unchanged', () => {
  expect(refusedRollback(change)).toBeUndefined();
  expect(refusedRollback({ ...change, migrations: [undefined, 'v1'] })).toBeUndefined();
});

test.for([
  [{ before: undefined }, /there is none before it\.$/],
  [{ ready: '' }, /the version before it, 0aa5b6b2-.*, was not seen ready either\./],
  [{ hasOtherSecrets: true }, /its secrets were changed .* from its tag, with today's secrets/],
  [
    { migrations: ['v1', 'v2'] },
    /migrated with it, from v1 to v2\. .* the newest \[\[migrations]]/,
  ],
] as const)(
  'A worker is not rolled back after %o, and the refusal gives the reason',
  ([other, reason]) => {
    expect(refusedRollback({ ...change, ...other })).toMatch(reason);
  },
);
