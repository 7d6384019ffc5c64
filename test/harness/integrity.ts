import { expect } from 'vitest';
import { checkIntegrity } from '../../src/cli/integrity.ts';
import type { Store } from './store.ts';

/** Fails unless every kept figure of the store is what it derives from. */
export async function expectIntegrity({ store }: { readonly store: Store }): Promise<void> {
  const results = await checkIntegrity(store.database);
  expect(results.filter(({ differences }) => differences > 0)).toEqual([]);
}
