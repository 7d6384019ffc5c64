import { licenseActivations, licenses } from '../../../schema/licenses.ts';
import { type LicenseStatus, paidStatuses } from '../../../schema/lists.ts';
import { type Mapped, type StepContext, imported, without, withReasons } from '../mapped.ts';
import { type ForeignActivation, licenseRows } from '../records/license.ts';
import { type ForeignOrder, statusOf } from '../records/order.ts';
import { idOf, localOf, wholeOf } from '../values.ts';
import type { Shop } from './gathered.ts';
import { faultOf, keyHolderReader, keysOf } from './keys.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { woocommerce } from './source.ts';

type Context = StepContext<typeof woocommerce, Plan>;

/** The keys of Software License Manager, with the domains and devices that they are in use on. */
export function* licensesStep({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const read = orderReader(staging, plan);
  const holderOf = keyHolderReader(staging);
  const placesOf = placeReader(staging);
  const ordinals = new Map<number, number>();
  for (const row of keysOf(staging)) {
    const id = Number(row.id);
    const orderId = idOf(row['purchase_id_']);
    const found = orderId === null ? undefined : read(orderId);
    const product = idOf(row.product_ref);
    const parts = found && 'orders' in found ? found.orders : [];
    const order = parts.find(({ productId }) => productId === product) ?? parts[0];
    const userId = order?.userId ?? holderOf(row);
    const productId = product ?? order?.productId ?? null;
    numbers.above(licenses, id);
    const fault = faultOf(row, productId);
    if (fault || userId === undefined || productId === null) {
      yield without('licenses', id, 'refused', fault ?? 'buyer-missing');
      continue;
    }
    const ordinal = order && (ordinals.get(order.id) ?? 0) + 1;
    if (order && ordinal !== undefined) ordinals.set(order.id, ordinal);
    const createdAt = localOf(row.date_created, plan.timezone) ?? order?.createdAt ?? now;
    const usedAt = localOf(row.date_activated, plan.timezone) ?? createdAt;
    const expiresAt = localOf(dayAfter(row.date_expiry), plan.timezone);
    const isEarly = row.lic_status === 'expired' && (expiresAt === null || expiresAt > now);
    const places = placesOf(id);
    const limit = seats(row.max_allowed_domains) + seats(row.max_allowed_devices);
    const written = licenseRows(
      {
        id,
        code: row.license_key ?? '',
        productId,
        userId,
        order:
          order && ordinal !== undefined ? { id: order.id, ordinal, isPaid: isPaid(order) } : null,
        status: isEarly ? 'inactive' : (statuses[row.lic_status ?? ''] ?? 'active'),
        limit: Math.max(1, limit),
        expiresAt,
        maxResets: 3,
        activations: places.map((string): ForeignActivation => ({
          string,
          isFree: false,
          at: usedAt,
        })),
        createdAt,
        updatedAt: createdAt,
        origin: { source: 'software-license-manager', type: row.lic_type || undefined },
      },
      numbers,
    );
    const isFound = orderId === null || order !== undefined;
    const inUse = written.filter(({ table }) => table === licenseActivations).length;
    yield withReasons(imported('licenses', id, [id], written), [
      ...(isFound ? [] : ([found ? 'order-not-imported' : 'order-missing'] as const)),
      ...(isEarly ? (['expired-early'] as const) : []),
      ...(expiresAt === null && isSaid(row.date_expiry) ? (['date-unknown'] as const) : []),
      ...(inUse === places.length ? [] : (['places-joined'] as const)),
    ]);
  }
}

/** What has run out may be used: its end says that it may no longer. */
const statuses: Readonly<Record<string, LicenseStatus>> = {
  pending: 'pending',
  blocked: 'inactive',
  suspended: 'inactive',
};

const isPaid = (order: ForeignOrder) =>
  (paidStatuses as readonly string[]).includes(statusOf(order));

const seats = (text: string | null) => Math.max(0, wholeOf(text) ?? 0);

/** Whether a key is to end at all. */
const isSaid = (date: string | null) => !/^(0000-00-00.*)?$/.test(date ?? '');

/** A key may be used on the whole of its last day. */
function dayAfter(date: string | null): string | null {
  const day = Date.parse(`${(date ?? '').slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(day) ? null : new Date(day + 86_400_000).toISOString().slice(0, 10);
}

/** Where keys are in use. */
function placeReader({ database }: Shop): (key: number) => string[] {
  const select = database.prepare(
    `select registered_domain as place from lic_reg_domain_tbl where lic_key_id = ?1
      union all select registered_devices from lic_reg_devices_tbl where lic_key_id = ?1`,
  );
  return (key) =>
    select
      .all(String(key))
      .map(({ place }) => String(place ?? '').trim())
      .filter(Boolean);
}
