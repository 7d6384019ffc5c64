import { erased } from '../../schema/personal.ts';

/** Tables that operations call by another name. */
const tables: Readonly<Record<string, string>> = { access: 'accessGrants' };

/** Personal fields of replies besides the columns of a record. */
const besides: Readonly<Record<string, readonly string[]>> = {
  users: ['external_ids'],
  orders: ['user', 'affiliate'],
  licenses: ['string', 'strings', 'activations'],
  payoutRuns: ['lines'],
  payouts: ['affiliate'],
};

/**
 * The personal fields of a kind of record; of a document, all of it. The audit log records that they changed, without
 * their values.
 */
export function personalFields(subject: string): string[] {
  const columns = new Map<string, object>(Object.entries(erased)).get(tables[subject] ?? subject);
  const fields = Object.keys(columns ?? {}).map((name) => name.split('.')[0] ?? name);
  return [...new Set([...fields, ...(besides[subject] ?? [])])];
}
