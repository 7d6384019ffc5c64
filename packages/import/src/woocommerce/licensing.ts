import { type ProductParts, defaultParts } from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { termDays } from '../records/license.ts';
import type { SaleValues } from '../sale-values.ts';
import { lengthKeys } from '../software-license-manager.ts';
import { idOf, wholeOf } from '../values.ts';
import type { StagedShop } from './gathered.ts';

/** Seats of one number for all places, as the store counts them. */
interface Seats {
  readonly limit: number;
  readonly reasons: readonly Reason[];
}

type SeatReader = (
  product: number | null,
  domains: string | null | undefined,
  devices: string | null | undefined,
) => Seats;

/**
 * Reads the seats of keys and products. Software License Manager counts domains and devices apart. If all places of a
 * product's keys are of one kind, the seats of that kind count, otherwise all.
 */
export function seatReader({ database }: StagedShop): SeatReader {
  const usedOn = (table: string) =>
    new Set(
      database
        .prepare(
          `select distinct product_ref from lic_key_tbl where id in (select lic_key_id from ${table})`,
        )
        .all()
        .map((row) => idOf(String(row['product_ref'] ?? ''))),
    );
  const [onDomains, onDevices] = [usedOn('lic_reg_domain_tbl'), usedOn('lic_reg_devices_tbl')];
  return (product, ...said) => {
    const [domains = 0, devices = 0] = said.map((text) => Math.max(0, wholeOf(text ?? null) ?? 0));
    const isOfBoth = domains > 0 && devices > 0;
    const isOfOne = isOfBoth && onDomains.has(product) !== onDevices.has(product);
    const ofOne = onDomains.has(product) ? domains : devices;
    const limit = isOfOne ? ofOne : domains + devices;
    return {
      limit: Math.min(1_000_000, Math.max(1, limit)),
      reasons: because({
        'seats-of-one-kind': isOfOne,
        'seats-joined': isOfBoth && !isOfOne,
        'no-seats': limit === 0,
      }),
    };
  };
}

/** Reads the licence that a product of Software License Manager sells. */
export function licenseReader(staging: StagedShop) {
  const seatsOf = seatReader(staging);
  return (
    id: number,
    type: string,
    meta: ReadonlyMap<string, string>,
    values: SaleValues,
  ): { readonly license: ProductParts['license']; readonly reasons: readonly Reason[] } => {
    if (type !== 'slm_license') return { license: defaultParts.license, reasons: [] };
    const seats = seatsOf(id, meta.get('_domain_licenses'), meta.get('_devices_licenses'));
    const license = {
      ...defaultParts.license,
      active: true,
      count: seats.limit,
      expires_days: daysOf(meta, values),
    };
    return { license, reasons: seats.reasons };
  };
}

/** Returns the days of a new licence; 0 = for ever. */
function daysOf(meta: ReadonlyMap<string, string>, values: SaleValues): number {
  const unit = meta.get('_license_renewal_period_term') ?? '';
  if (unit === 'onetime' || meta.get('_license_type') === 'lifetime') return 0;
  const length = values.whole(lengthKeys.map((key) => meta.get(key)).find(Boolean));
  const days = termDays(length, unit);
  // Without a length it would never end here.
  if (!days) values.unreadable();
  return days ?? 0;
}
