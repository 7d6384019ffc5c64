import { meantCode } from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, isPaid, ordersIn, statusOf } from '../records/order.ts';
import { type ToldLicense, licenseSteps, ordinals } from '../records/license.ts';
import { SaleValues } from '../sale-values.ts';
import type { StagedRow } from '../source.ts';
import { epochOf, idOf, utcOf, wholeOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { buyerOf } from './buyers.ts';
import { orderReader } from './orders.ts';
import type { Context, Plan } from './plan.ts';
import { pricingOf } from './products.ts';
import type { edd } from './source.ts';

type Row = StagedRow<typeof edd, 'edd_licenses'>;

/** Imports the licences of the add-on Software Licensing. */
export const licensesStep = licenseSteps<typeof edd, Plan>()({
  table: 'edd_licenses',
  code: 'license_key',
  reader(context) {
    const told = licenseReader(context);
    return { told: ([row], id) => (row ? told(row, id) : 'no-code') };
  },
});

function licenseReader(context: Context): (row: Row, id: number) => ToldLicense | Reason {
  const { staging, plan, now } = context;
  const read = orderReader(staging, plan);
  const limitOf = limitReader(context);
  const activations = staging.database.prepare(
    `select site_name, is_local from edd_license_activations
      where license_id = ? and activated = '1' and trim(site_name) <> '' order by cast(site_id as integer)`,
  );
  const ordinalOf = ordinals();
  const renewals = staging.database.prepare(
    'select order_id from renewal where parent = ? order by order_id',
  );
  const renewalsOf = (root: ForeignOrder, payment: string | null): number[] =>
    renewals.all(idOf(payment)).flatMap(({ order_id }) => {
      const [order] = ordersIn(read(String(order_id)));
      return order?.rootId === root.id && isPaid(statusOf(order)) ? order.id : [];
    });
  return (row, id) => {
    const code = (row.license_key ?? '').trim();
    const productId = idOf(row.download_id);
    if (meantCode(code) === '') return 'no-code';
    if (productId === null) return 'no-product';
    const order = orderOf(row, read(row.payment_id ?? ''), productId);
    const buyer = order?.userId ?? buyerOf({ ...row, email: null }, plan.buyers);
    const createdAt = utcOf(row.date_created) ?? now;
    const expiresAt = epochOf(row.expiration);
    const values = new SaleValues(plan.exponent);
    const license = {
      id,
      code,
      productId,
      userId: buyer ?? plan.buyers.ofLicense.get(id) ?? 0,
      order: order
        ? {
            ...{ id: order.id, ordinal: ordinalOf(order.id), isPaid: paysFor(order) },
            renewals: renewalsOf(order, row.payment_id),
          }
        : null,
      // In the shop, `inactive` means not used yet, and `expired` that the end has come.
      status: row.status === 'disabled' ? ('inactive' as const) : ('active' as const),
      limit: limitOf(row, values),
      expiresAt,
      maxResets: 3,
      activations: activations.all(String(id)).map((site) => ({
        string: String(site['site_name'] ?? ''),
        isFree: site['is_local'] === '1',
        at: createdAt,
      })),
      createdAt,
      updatedAt: createdAt,
      origin: {
        source: 'edd',
        ...(row.parent && row.parent !== '0' ? { parent: row.parent } : {}),
      },
    };
    const isDated = expiresAt !== null || ['', '0'].includes(row.expiration ?? '');
    const said = because({ 'order-missing': !order, 'date-unknown': !isDated });
    return { license, reasons: [...values.reasons, ...said] };
  };
}

const paysFor = (order: ForeignOrder) => order.rootId === null && isPaid(statusOf(order));

/** The part of the order that a licence is for: the one with its product or, for a product of a bundle, the bundle. */
function orderOf(
  row: Row,
  found: ReturnType<ReturnType<typeof orderReader>>,
  productId: number,
): ForeignOrder | undefined {
  const parts = ordersIn(found);
  return (
    parts.find((part) => part.productId === productId) ??
    parts[wholeOf(row.cart_index) ?? 0] ??
    parts[0]
  );
}

/** Seats: the licence's own, otherwise those of its price option or product; 0 = no limit. */
function limitReader({ staging, plan }: Context) {
  const own = metaReader(staging, 'edd_licensemeta', 'edd_license_id');
  const product = metaReader(staging, 'postmeta', 'post_id');
  return (row: Row, values: SaleValues): number => {
    const override = own(row.id ?? '').get('_edd_sl_limit');
    const meta = product(row.download_id ?? '');
    const { options } = pricingOf(meta, new SaleValues(plan.exponent));
    const option = options.find(({ id }) => id === row.price_id);
    const limit =
      override || option?.licenseLimit === undefined
        ? values.whole(override || meta.get('_edd_sl_limit'))
        : option.licenseLimit;
    // An unreadable limit becomes 1, since 0 would mean no limit.
    return values.isReadable ? limit : 1;
  };
}
