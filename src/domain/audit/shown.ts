import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';

interface Change {
  readonly subject_type: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** An entry for its reader: the fields of API keys are shown only to those who may read keys. */
export const shownEntry = <Entry extends Change>(
  entry: Entry,
  reader: ScopedPrincipal,
): Entry & Change =>
  entry.subject_type === 'keys' && !readsKeys(reader)
    ? { ...entry, before: null, after: null }
    : entry;

const readsKeys = (reader: ScopedPrincipal): boolean =>
  reader.kind === 'console' && reader.isAdministrator;
