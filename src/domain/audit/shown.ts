import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';

interface Change {
  readonly subject_type: string;
  readonly subject_name: string | null;
  readonly before: object | null;
  readonly after: object | null;
}

/** Shows the fields of API keys only to readers of keys, and names of people only to readers of users. */
export const shownEntry = <Entry extends Change>(
  entry: Entry,
  reader: ScopedPrincipal,
): Entry & Change => ({
  ...entry,
  ...(entry.subject_type === 'keys' && !readsKeys(reader) && { before: null, after: null }),
  ...(namesPerson(entry) && !reader.has('users:read') && { subject_name: null }),
});

/** Kinds of records that are named after a person. */
const ofPeople = new Set(['users', 'profile', 'payouts', 'risks', 'console', 'sessions', 'shop']);

const namesPerson = ({ subject_type }: Change): boolean => ofPeople.has(subject_type);

const readsKeys = (reader: ScopedPrincipal): boolean =>
  reader.kind === 'console' && reader.isAdministrator;
