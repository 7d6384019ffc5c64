import { type Instant, meantCode } from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, isPaid, ordersIn, statusOf } from '../records/order.ts';
import { type ToldLicense, licenseSteps, ordinals } from '../records/license.ts';
import { SaleValues } from '../sale-values.ts';
import type { StagedRow } from '../source.ts';
import { epochOf, idOf, utcOf, wholeOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { buyerOf } from './buyers.ts';
import { endReader } from './ends.ts';
import { orderReader } from './orders.ts';
import type { Context, Plan } from './plan.ts';
import { pricingOf } from './products.ts';
import { type edd, laterPaymentKey } from './source.ts';

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
  const saleOf = saleReader(context);
  const limitOf = limitReader(context);
  const endOf = endReader(context);
  const activations = staging.database.prepare(
    `select site_name, is_local from edd_license_activations
      where license_id = ? and activated = '1' and trim(site_name) <> '' order by cast(site_id as integer)`,
  );
  const ordinalOf = ordinals();
  return (row, id) => {
    const code = (row.license_key ?? '').trim();
    const productId = idOf(row.download_id);
    if (meantCode(code) === '') return 'no-code';
    if (productId === null) return 'no-product';
    const { first, sale } = saleOf(row, productId);
    const buyer = first?.userId ?? buyerOf({ ...row, email: null }, plan.buyers);
    const createdAt = utcOf(row.date_created) ?? now;
    const expiresAt = epochOf(row.expiration);
    const end = sale && isPaidFor(sale) ? endOf(sale) : undefined;
    const beyond = beyondEnd(row.status === 'disabled' ? null : end, expiresAt, now);
    const values = new SaleValues(plan.exponent);
    const license = {
      id,
      code,
      productId,
      userId: buyer ?? plan.buyers.ofLicense.get(id) ?? 0,
      order:
        sale && !beyond['for-life']
          ? {
              ...{ id: sale.order.id, ordinal: ordinalOf(sale.order.id) },
              ...{
                isPaid: paysFor(sale.order),
                renewals: end === null ? ofPlan(sale) : sale.renewals,
              },
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
    const said = because({
      'order-missing': !sale,
      'date-unknown': !isDated,
      ...beyond,
    });
    return { license, reasons: [...values.reasons, ...said] };
  };
}

/** Compares the end of a licence with that of its order's subscription, by which it ends in the store. */
const beyondEnd = (end: Instant | null | undefined, expiresAt: Instant | null, now: Instant) => ({
  'for-life': typeof end === 'string' && expiresAt === null,
  'outlasts-subscription': typeof end === 'string' && end <= now && (expiresAt ?? '') > now,
});

/** An order that sold or renewed a licence, with its paid automatic renewals. */
interface Sale {
  /** The id of the shop's order. */
  readonly payment: string;
  readonly order: ForeignOrder;
  readonly renewals: readonly number[];
}

/**
 * Finds the first order of a licence, and the sale that it follows: the last paid one. A buyer who renews by hand places
 * an order, or begins a subscription, that has nothing to do with the first.
 */
function saleReader({ staging, plan }: Context) {
  const read = orderReader(staging, plan);
  const renewals = staging.database.prepare(
    'select order_id from renewal where parent = ? order by order_id',
  );
  const laterPayments = staging.database.prepare(
    `select distinct id_of(meta_value) as id from edd_licensemeta
      where edd_license_id = ? and meta_key = '${laterPaymentKey}'
        and id_of(meta_value) not in (select order_id from renewal) order by 1`,
  );
  const saleOf = (order: ForeignOrder | undefined, payment: string | null): Sale[] => {
    if (!order || payment === null) return [];
    const paid = renewals.all(idOf(payment)).flatMap(({ order_id }) => {
      const [renewal] = ordersIn(read(String(order_id)));
      return renewal?.rootId === order.id && isPaid(statusOf(renewal)) ? renewal.id : [];
    });
    return [{ payment, order, renewals: paid }];
  };
  return (row: Row, productId: number) => {
    const first = orderOf(row, read(row.payment_id ?? ''), productId);
    const later = laterPayments.all(row.id).flatMap(({ id }) => {
      const parts = ordersIn(read(String(id)));
      const partWith = (product: number | undefined) =>
        parts.find((part) => part.productId === product);
      return saleOf(partWith(productId) ?? partWith(first?.productId), String(id));
    });
    const sales = [...saleOf(first, row.payment_id), ...later];
    const paid = sales.findLast(isPaidFor);
    return { first, sale: paid ?? sales[0] };
  };
}

const isPaidFor = ({ order, renewals }: Sale): boolean => paysFor(order) || renewals.length > 0;

/** Returns the renewals that pay for the licence of a payment plan: one payment does, like in the store's own plans. */
const ofPlan = ({ order, renewals }: Sale): readonly number[] =>
  paysFor(order) ? [] : renewals.slice(0, 1);

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
