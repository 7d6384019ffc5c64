import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as schema from '../../src/schema/index.ts';
import { type Checked, type Erased, type NotPersonal, erased } from '../../src/schema/personal.ts';

// A column that is taken off its list is like a new column.

test('a column on no list does not compile', () => {
  const { phone, ...rest } = erased.users;
  // @ts-expect-error -- users.phone
  expect({ ...erased, users: rest } satisfies Erased).not.toEqual(erased);
  expect({ ...erased, users: { ...rest, phone } } satisfies Erased).toEqual(erased);
});

test('a key of a document on no list does not compile', () => {
  const { 'shipping.phone': phone, ...rest } = erased.orders;
  // @ts-expect-error -- orders.shipping.phone
  expect({ ...erased, orders: rest } satisfies Erased).not.toEqual(erased);
  expect({ ...erased, orders: { ...rest, 'shipping.phone': phone } } satisfies Erased).toEqual(
    erased,
  );
});

test('a table on no list, a column on two lists, and an unknown name on a list do not compile', () => {
  // @ts-expect-error -- the table outbox
  const table: Checked<Omit<NotPersonal, 'outbox'>> | undefined = undefined;
  // @ts-expect-error -- refunds.amount, which isn't personal
  const twice: Erased['refunds'] = { reason: null, amount: 0 };
  // @ts-expect-error -- there is no refunds.motive
  const name: Checked<Omit<NotPersonal, 'refunds'> & { refunds: 'motive' }> | undefined = undefined;
  expect([table, twice.reason, name]).toEqual([undefined, null, undefined]);
});

test('every table is in the index', async () => {
  const folder = join(import.meta.dirname, '../../src/schema');
  const files = await Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map(async (file): Promise<object> => import(join(folder, file))),
  );
  const tables = files.flatMap(Object.values).filter((value) => is(value, PgTable));
  const listed = Object.values(schema).filter((value) => is(value, PgTable));
  expect(new Set(tables)).toEqual(new Set(listed));
});
