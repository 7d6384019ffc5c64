import type { Reason } from '../reasons.ts';
import type { StagedRow } from '../source.ts';
import { addressOf, blanks, idOf } from '../values.ts';
import { type Shop, mentionedPeople, personReader } from './gathered.ts';
import { type OrderRow, refusalOf } from './order.ts';
import type { Plan } from './plan.ts';
import type { woocommerce } from './source.ts';

/** A key of Software License Manager, and which of those with the same code it is. */
export type Key = StagedRow<typeof woocommerce, 'lic_key_tbl'> & { readonly same: number };

export const keysOf = ({ database }: Shop) =>
  database
    .prepare(
      `select *, row_number() over (
                partition by upper(trim(license_key, ${blanks})) order by cast(id as integer)) as same
         from lic_key_tbl order by cast(id as integer)`,
    )
    .iterate() as Iterable<Key>;

/** Why a key can be no licence, whoever has it; undefined where it can. */
export function faultOf({ license_key, same }: Key, productId: number | null): Reason | undefined {
  if ((license_key ?? '').trim() === '') return 'no-code';
  if (same > 1) return 'duplicate-code';
  return productId === null ? 'no-product' : undefined;
}

/**
 * Adds to `guest` those whom keys name and nothing else does, made by hand or without their order: a key that
 * software asks for goes on being one.
 */
export function gatherKeyHolders(staging: Shop, plan: Plan): void {
  const { database } = staging;
  const personOf = personReader(staging);
  const order = database.prepare(`select * from shop_order where id = ? and type = 'shop_order'`);
  const insert = database.prepare('insert into guest (id, address, first_key) values (?, ?, ?)');
  const highest = database
    .prepare(
      `select coalesce(max(id_of(id)), 0) as id from (${mentionedPeople} union select id from guest)`,
    )
    .get();
  let id = Number(highest?.['id']);
  for (const key of keysOf(staging)) {
    const row = order.get(idOf(key['purchase_id_'])) as unknown as OrderRow | undefined;
    const isSold = row !== undefined && refusalOf(row, plan) === undefined;
    if (isSold || faultOf(key, idOf(key.product_ref))) continue;
    if (personOf(key.email) === undefined) insert.run(++id, addressOf(key.email), Number(key.id));
  }
}

/** Finds who has a key that no order here paid for. */
export function keyHolderReader(staging: Shop): (key: Key) => number | undefined {
  const personOf = personReader(staging);
  const select = staging.database.prepare('select id from guest where first_key = ?');
  return (key) => {
    const id = personOf(key.email) ?? select.get(Number(key.id))?.['id'];
    return id === undefined ? undefined : Number(id);
  };
}
