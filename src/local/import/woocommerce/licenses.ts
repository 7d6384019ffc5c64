import { licenses } from '../../../schema/licenses.ts';
import { type LicenseStatus, paidStatuses } from '../../../schema/lists.ts';
import { type Mapped, type StepContext, without } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignLicense, type ToldLicense, licensesOfCode } from '../records/license.ts';
import { type ForeignOrder, statusOf } from '../records/order.ts';
import { idOf, localOf, wholeOf } from '../values.ts';
import type { Shop } from './gathered.ts';
import { type Key, faultOf, keyHolderReader, keysByCode } from './keys.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { woocommerce } from './source.ts';

type Context = StepContext<typeof woocommerce, Plan>;

/** The keys of Software License Manager, with the domains and devices that they are in use on. */
export function* licensesStep(context: Context): Generator<Mapped> {
  const { staging, numbers } = context;
  const told = keyReader(context);
  for (const keys of keysByCode(staging)) {
    const ofCode: ToldLicense[] = [];
    for (const key of keys) {
      const id = Number(key.id);
      numbers.above(licenses, id);
      const read = told(key);
      if (typeof read === 'string') yield without('licenses', id, 'refused', read);
      else ofCode.push(read);
    }
    yield* licensesOfCode(ofCode, numbers);
  }
}

/** Reads keys, or says why one can be no licence. */
function keyReader({ staging, plan, now }: Context): (key: Key) => ToldLicense | Reason {
  const read = orderReader(staging, plan);
  const holderOf = keyHolderReader(staging);
  const placesOf = placeReader(staging);
  const ordinals = new Map<number, number>();
  return (row) => {
    const id = Number(row.id);
    const orderId = idOf(row['purchase_id_']);
    const found = orderId === null ? undefined : read(orderId);
    const product = idOf(row.product_ref);
    const parts = found && 'orders' in found ? found.orders : [];
    const order = parts.find(({ productId }) => productId === product) ?? parts[0];
    const productId = product ?? order?.productId ?? null;
    const fault = faultOf(row, productId);
    if (fault || productId === null) return fault ?? 'no-product';
    const ordinal = order && (ordinals.get(order.id) ?? 0) + 1;
    if (order && ordinal !== undefined) ordinals.set(order.id, ordinal);
    const createdAt = localOf(row.date_created, plan.timezone) ?? order?.createdAt ?? now;
    const usedAt = localOf(row.date_activated, plan.timezone) ?? createdAt;
    const expiresAt = localOf(dayAfter(row.date_expiry), plan.timezone);
    const isEarly = row.lic_status === 'expired' && (expiresAt === null || expiresAt > now);
    const limit = seats(row.max_allowed_domains) + seats(row.max_allowed_devices);
    const license: ForeignLicense = {
      id,
      code: (row.license_key ?? '').trim(),
      productId,
      // Of several keys with one code, the first has a holder.
      userId: order?.userId ?? holderOf(row) ?? 0,
      order:
        order && ordinal !== undefined ? { id: order.id, ordinal, isPaid: isPaid(order) } : null,
      status: isEarly ? 'inactive' : (statuses[row.lic_status ?? ''] ?? 'active'),
      limit: Math.max(1, limit),
      expiresAt,
      maxResets: 3,
      activations: placesOf(id).map((string) => ({ string, isFree: false, at: usedAt })),
      createdAt,
      updatedAt: createdAt,
      origin: { source: 'software-license-manager', type: row.lic_type || undefined },
    };
    const isFound = orderId === null || order !== undefined;
    const reasons: Reason[] = [
      ...(isFound ? [] : ([found ? 'order-not-imported' : 'order-missing'] as const)),
      ...(isEarly ? (['expired-early'] as const) : []),
      ...(expiresAt === null && isSaid(row.date_expiry) ? (['date-unknown'] as const) : []),
    ];
    return { license, reasons };
  };
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
