import type { Instant } from './instant.ts';

/** The initial values of every record. */
export const firstVersion = (at: Instant) => ({ created_at: at, updated_at: at, version: 1 });

/** The values that every change of a record sets. */
export const nextVersion = ({ version }: { readonly version: number }, now: Date) => ({
  updated_at: now.toISOString(),
  version: version + 1,
});
