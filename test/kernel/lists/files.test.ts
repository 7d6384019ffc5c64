import { expect, test } from 'vitest';
import * as z from 'zod';
import { listFile } from '../../../src/kernel/endpoint/list-file.ts';

const item = z.object({ id: z.int() });
const unread = () => Promise.reject(new Error('The list was read.'));
const fileOf = (given: string[], unknown: string[] = []) =>
  listFile({
    ...{ item, cursor: z.string(), format: 'csv', query: {}, path: '/orders', read: unread },
    ...{ given, unknown },
  });

test('a file has the whole list, so a request for a part of it is refused', () => {
  for (const name of ['page', 'per_page', 'cursor', 'offset']) {
    const params = { [name]: 'does not apply to a file, which has the whole list' };
    expect(() => fileOf([name]), name).toThrow(
      expect.objectContaining({ code: 'rest_invalid_param', detail: { params } }),
    );
  }
});

test('a limit is refused as well, unless the list has a filter of that name', () => {
  const params = { limit: 'does not apply to a file, which has the whole list' };
  expect(() => fileOf(['limit'], ['limit'])).toThrow(
    expect.objectContaining({ code: 'rest_invalid_param', detail: { params } }),
  );
  expect(fileOf(['limit', 'status']).name).toBe('orders.csv');
});
