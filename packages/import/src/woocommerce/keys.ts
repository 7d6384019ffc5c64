import { meantCode } from '../../../../src/exports/store.ts';
import type { Reason } from '../reasons.ts';
import { byCode } from '../same-code.ts';
import type { StagedRow } from '../source.ts';
import { addressOf, idOf } from '../values.ts';
import { type StagedShop, type OrderRow, personReader } from './gathered.ts';
import { highestMention } from '../mentions.ts';
import { userMentions } from './mentions.ts';
import { isRefused } from './order.ts';
import type { Plan } from './plan.ts';
import type { woocommerce } from './source.ts';

/** A key of Software License Manager. */
export type Key = StagedRow<typeof woocommerce, 'lic_key_tbl'>;

export const keysByCode = ({ database }: StagedShop) =>
  byCode<Key>(database, { table: 'lic_key_tbl', id: 'id', code: 'license_key' });

/** The reason why a key can't become a licence, if there is one. */
export function faultOf({ license_key }: Key, productId: number | null): Reason | undefined {
  if (meantCode(license_key ?? '') === '') return 'no-code';
  return productId === null ? 'no-product' : undefined;
}

/** Adds people to `guest` who are known only from licence keys, so that their software still finds the key. */
export function gatherKeyHolders(staging: StagedShop, plan: Plan): void {
  const { database } = staging;
  const personOf = personReader(staging);
  const order = database.prepare(`select * from shop_order where id = ? and type = 'shop_order'`);
  const insert = database.prepare('insert into guest (id, address, first_key) values (?, ?, ?)');
  const guests = database.prepare('select max(id) as id from guest').get();
  let id = Math.max(Number(guests?.['id'] ?? 0), highestMention(staging, userMentions));
  const isSold = (key: Key) => {
    const row = order.get(idOf(key['purchase_id_'])) as unknown as OrderRow | undefined;
    return row !== undefined && !isRefused(row, plan);
  };
  for (const keys of keysByCode(staging)) {
    // Further keys with a code are merged into the first.
    const first = keys.find((key) => isSold(key) || !faultOf(key, idOf(key.product_ref)));
    if (!first || isSold(first) || faultOf(first, idOf(first.product_ref))) continue;
    if (personOf(first.email) === undefined)
      insert.run(++id, addressOf(first.email), Number(first.id));
  }
}

/** Finds the holder of a key whose order was not imported. */
export function keyHolderReader(staging: StagedShop): (key: Key) => number | undefined {
  const personOf = personReader(staging);
  const select = staging.database.prepare('select id from guest where first_key = ?');
  return (key) => {
    const id = personOf(key.email) ?? select.get(Number(key.id))?.['id'];
    return id === undefined ? undefined : Number(id);
  };
}
