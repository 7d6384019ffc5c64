import type { Instant } from '../../../../src/exports/store.ts';
import type { SaleValues } from '../sale-values.ts';
import { dayAfter, idOf, utcOf } from '../values.ts';
import type { StagedShop } from './gathered.ts';

/** The permission to download the files of an item. */
export interface Permission {
  /** The end of the last of its files; null if one of them has none. */
  readonly until: Instant | null;
  /** True if the number of downloads is limited. */
  readonly isCounted: boolean;
}

export type PermissionReader = (order: number) => (item: number) => Permission;

/** Reads the permissions of an order, by product or variation. */
export function permissionReader({ database }: StagedShop): PermissionReader {
  const select = database.prepare(
    `select product_id, downloads_remaining, access_expires
       from woocommerce_downloadable_product_permissions where order_id = ?`,
  );
  return (order) => {
    const rows = select.all(String(order)) as Record<string, string | null>[];
    const byItem = Map.groupBy(rows, (row) => idOf(row['product_id']));
    return (item) => {
      const files = byItem.get(item) ?? [];
      // A download is allowed on the whole of its last day.
      const ends = files.map((row) => utcOf(dayAfter(row['access_expires'] ?? null)));
      return {
        until: ends.reduce(
          (last, end) => (last === null || end === null ? null : end > last ? end : last),
          ends[0] ?? null,
        ),
        isCounted: files.some((row) => (row['downloads_remaining'] ?? '') !== ''),
      };
    };
  };
}

/** Notes if new buyers of a product or a variation can't download its files for ever. */
export function noteDownloads(meta: ReadonlyMap<string, string>, values: SaleValues): void {
  const [days, times] = ['_download_expiry', '_download_limit'].map((key) => meta.get(key) ?? '');
  const isLimited = Number(days) > 0 || (times !== '' && Number(times) >= 0);
  if (meta.get('_downloadable') === 'yes' && isLimited) values.note('downloads-limited');
}
