import { expect } from 'vitest';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import type { Store } from './store.ts';

/** Fails unless every derived figure of the store is right. */
export async function expectIntegrity({ store }: { readonly store: Store }): Promise<void> {
  const results = await checkIntegrity(store.database);
  expect(results.filter(({ differences }) => differences > 0)).toEqual([]);
}

/** Fails unless the named check notices the effect of a statement, which is undone. */
export async function expectNoticed(
  { store }: { readonly store: Store },
  name: string,
  damage: string,
): Promise<void> {
  const { database } = store;
  await database.query('begin');
  await database.query(damage);
  const results = await checkIntegrity(database);
  await database.query('rollback');
  expect(results.find((result) => result.name === name)?.differences).toBeGreaterThan(0);
}
