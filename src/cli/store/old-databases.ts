import * as z from 'zod';
import { Refused } from '../support/command.ts';
import { placeOf } from './databases.ts';
import type { NamedStore } from './definition.ts';
import type { StoreSecrets } from './secrets.ts';

/** The value of OLD_DATABASES. */
const OldDatabases = z.array(
  z.object({ since: z.iso.datetime(), project: z.string(), direct: z.url() }),
);

/** Days for which the previous database is kept. */
export const daysKept = 30;

/** @throws Refused for a malformed list */
export function oldDatabases({ name }: NamedStore, { OLD_DATABASES }: StoreSecrets) {
  try {
    return OldDatabases.parse(JSON.parse(OLD_DATABASES || '[]'));
  } catch {
    throw new Refused(
      `OLD_DATABASES among the secrets of ${name} is not the JSON that a restore writes. Put it right.`,
    );
  }
}

/** Returns the previous databases, without the one that the store uses: it may have gone back to it. */
export function leftDatabases(store: NamedStore, secrets: StoreSecrets) {
  const { DATABASE_URL_DIRECT: direct } = secrets;
  const current = direct && placeOf({ direct });
  return oldDatabases(store, secrets).filter((old) => placeOf({ direct: old.direct }) !== current);
}

/** Names the databases before restores that are kept. */
export const keptDatabases = (store: NamedStore, secrets: StoreSecrets): string[] =>
  leftDatabases(store, secrets).map(placeOf);

/** Names the previous databases that were kept for long enough. */
export function spentDatabases(store: NamedStore, secrets: StoreSecrets, now: Date): string[] {
  const last = now.getTime() - daysKept * 86_400_000;
  return leftDatabases(store, secrets)
    .filter(({ since }) => Date.parse(since) < last)
    .map(
      ({ since, ...old }) =>
        `the database before the restore of ${since.slice(0, 10)} can be deleted: ${placeOf(old)}; then take it out of OLD_DATABASES`,
    );
}

/** The addresses of the databases that were in use after a backup. */
export const previousDatabases = (store: NamedStore, secrets: StoreSecrets, exported_at: string) =>
  leftDatabases(store, secrets)
    .filter(({ since }) => Date.parse(since) >= Date.parse(exported_at))
    .map((old) => old.direct);
