import { erased } from '../../schema/personal.ts';

/** Tables whose records have operations of another name. */
const tables: Readonly<Record<string, string>> = { access: 'accessGrants' };

/** Personal fields of replies beside the columns of a record. */
const besides: Readonly<Record<string, readonly string[]>> = {
  users: ['external_ids'],
  orders: ['user', 'affiliate'],
  licenses: ['string', 'strings', 'activations'],
  payoutRuns: ['lines'],
  payouts: ['affiliate'],
};

/**
 * The fields of a kind of record that say something of a person, by the name its operations have; of a document
 * all of it. The audit log says that they changed, and not what they say.
 */
export function personalFields(subject: string): string[] {
  const columns = new Map<string, object>(Object.entries(erased)).get(tables[subject] ?? subject);
  const fields = Object.keys(columns ?? {}).map((name) => name.split('.')[0] ?? name);
  return [...new Set([...fields, ...(besides[subject] ?? [])])];
}
