import { expect, test } from 'vitest';
import { endOf } from '../../packages/import/src/command/shown.ts';

const orders = {
  entity: 'orders',
  ...{ source: 2, ours: 5, sums: {}, explained: 0, unexplained: 4, examples: [] },
} as const;

const end = (own: number) =>
  endOf({ outcomes: [], comparisons: [{ ...orders, own }], faults: [], owed: [] });

test('A repeated import names the orders that only the store has', () => {
  expect(end(3)).toEqual({
    code: 1,
    says: [expect.stringContaining('the store has 3 orders that the shop does not have. If')],
  });
  expect(end(0)).toEqual({
    code: 1,
    says: ['There are differences that no reason explains: do not go live with this.'],
  });
});
