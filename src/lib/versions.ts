import type { Instant } from './instant.ts';

export const firstVersion = (at: Instant) => ({ created_at: at, updated_at: at, version: 1 });

export const nextVersion = ({ version }: { readonly version: number }, now: Date) => ({
  updated_at: now.toISOString(),
  version: version + 1,
});
