import type { Instant, LicenseStatus } from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ToldLicense, licenseSteps, ordinals } from '../records/license.ts';
import { type ForeignOrder, isPaid, ordersIn, statusOf, withoutOrder } from '../records/order.ts';
import { dayAfter, entryOf, idOf, localOf } from '../values.ts';
import type { StagedShop } from './gathered.ts';
import { type Key, faultOf, keyHolderReader } from './keys.ts';
import { seatReader } from './licensing.ts';
import { orderReader } from './orders.ts';
import type { Context, Plan } from './plan.ts';
import type { woocommerce } from './source.ts';

/** Imports the keys of Software License Manager. */
export const licensesStep = licenseSteps<typeof woocommerce, Plan>()({
  table: 'lic_key_tbl',
  code: 'license_key',
  reader(context) {
    const told = keyReader(context);
    return { told: ([key], id) => (key ? told(key, id) : 'no-code') };
  },
});

function keyReader({
  staging,
  plan,
  now,
}: Context): (key: Key, id: number) => ToldLicense | Reason {
  const read = orderReader(staging, plan);
  const holderOf = keyHolderReader(staging);
  const placesOf = placeReader(staging);
  const seatsOf = seatReader(staging);
  const saleOf = saleReader(staging, read);
  return (row, id) => {
    const orderId = idOf(row['purchase_id_']);
    const found = orderId === null ? undefined : read(orderId);
    const { order, productId } = soldWith(row, ordersIn(found));
    const fault = faultOf(row, productId);
    if (fault || productId === null) return fault ?? 'no-product';
    const { createdAt, usedAt, expiresAt } = timesOf(row, plan, order?.createdAt ?? now);
    const isEarly = row.lic_status === 'expired' && (expiresAt === null || expiresAt > now);
    const product = idOf(row.product_ref);
    const seats = seatsOf(product, row.max_allowed_domains, row.max_allowed_devices);
    const license = {
      id,
      code: (row.license_key ?? '').trim(),
      productId,
      // Of several keys with one code, `holderOf` only knows the first.
      userId: order?.userId ?? holderOf(row) ?? 0,
      order: saleOf(orderId, order),
      status: isEarly ? ('inactive' as const) : (entryOf(statuses, row.lic_status) ?? 'active'),
      limit: seats.limit,
      expiresAt,
      maxResets: 3,
      activations: placesOf(id).map((string) => ({ string, isFree: false, at: usedAt })),
      createdAt,
      updatedAt: createdAt,
      origin: { source: 'software-license-manager', type: row.lic_type || undefined },
    };
    const reasons = because({
      [withoutOrder(found)]: orderId !== null && !order,
      'expired-early': isEarly,
      'date-unknown': expiresAt === null && isSaid(row.date_expiry),
    });
    return { license, reasons: [...reasons, ...seats.reasons] };
  };
}

/** Finds the first order of the chain that sold a key, and the paid ones. */
function saleReader(staging: StagedShop, read: ReturnType<typeof orderReader>) {
  const payersOf = payerReader(staging, read);
  const ordinalOf = ordinals();
  return (orderId: number | null, order: ForeignOrder | undefined) => {
    if (orderId === null || !order) return null;
    const id = order.rootId ?? order.id;
    const payers = payersOf(order);
    const renewals = payers.filter((payer) => payer !== id);
    return { id, ordinal: ordinalOf(id), isPaid: payers.includes(id), renewals };
  };
}

/** Finds the paid orders of the chain of an order. */
function payerReader({ database }: StagedShop, read: ReturnType<typeof orderReader>) {
  const chain = database.prepare(
    `select c.order_id, c.part from chain o join chain c using (subscription, n)
      where o.part = ? order by c.order_id`,
  );
  return (order: ForeignOrder): number[] => {
    const links = chain.all(order.rootId ?? order.id);
    const all = links.flatMap(({ order_id, part }) =>
      ordersIn(read(Number(order_id))).filter((one) => one.id === part),
    );
    return (links.length === 0 ? [order] : all)
      .filter((one) => isPaid(statusOf(one)))
      .map((one) => one.id);
  };
}

/** The part of the order that sold a key, and the key's product. */
function soldWith({ product_ref }: Key, parts: readonly ForeignOrder[]) {
  const product = idOf(product_ref);
  const order = parts.find(({ productId }) => productId === product) ?? parts[0];
  return { order, productId: product ?? order?.productId ?? null };
}

function timesOf(row: Key, { timezone }: Plan, otherwise: Instant) {
  const createdAt = localOf(row.date_created, timezone) ?? otherwise;
  const usedAt = localOf(row.date_activated, timezone) ?? createdAt;
  // A key is valid for the whole of its last day.
  return { createdAt, usedAt, expiresAt: localOf(dayAfter(row.date_expiry), timezone) };
}

/**
 * The statuses of keys that can't be used. A key is `pending` until its first use. An expired key stays active: only its
 * end forbids its use.
 */
const statuses: Readonly<Record<string, LicenseStatus>> = {
  blocked: 'inactive',
  suspended: 'inactive',
};

/** True for a date that isn't a row of zeros. */
const isSaid = (date: string | null) => !/^(0000-00-00.*)?$/.test(date ?? '');

function placeReader({ database }: StagedShop): (key: number) => string[] {
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
