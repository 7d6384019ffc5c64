import { meantCode } from '../../../domain/license/codes.ts';
import { licenses } from '../../../schema/licenses.ts';
import { paidStatuses } from '../../../schema/lists.ts';
import { type Mapped, type StepContext, without } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, statusOf } from '../records/order.ts';
import { type ForeignLicense, type ToldLicense, licensesOfCode } from '../records/license.ts';
import { byCode } from '../same-code.ts';
import { SaleValues } from '../sale-values.ts';
import type { StagedRow } from '../source.ts';
import { epochOf, idOf, utcOf, wholeOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { buyerOf } from './buyers.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import { pricingOf } from './products.ts';
import type { edd } from './source.ts';

type Context = StepContext<typeof edd, Plan>;
type Row = StagedRow<typeof edd, 'edd_licenses'>;

/** Licences of Software Licensing: each with its key and its end as they stand, and where it is in use. */
export function* licensesStep(context: Context): Generator<Mapped> {
  const { staging, numbers } = context;
  const told = licenseReader(context);
  const table = { table: 'edd_licenses', id: 'id', code: 'license_key' };
  for (const rows of byCode<Row>(staging.database, table)) {
    const ofCode: ToldLicense[] = [];
    for (const row of rows) {
      const id = Number(row.id);
      numbers.above(licenses, id);
      const read = told(row);
      if (typeof read === 'string') yield without('licenses', id, 'refused', read);
      else ofCode.push(read);
    }
    yield* licensesOfCode(ofCode, numbers);
  }
}

/** Reads licences, or says why one can't be. */
function licenseReader({ staging, plan, now }: Context): (row: Row) => ToldLicense | Reason {
  const read = orderReader(staging, plan);
  const limitOf = limitReader({ staging, plan });
  const activations = staging.database.prepare(
    `select site_name, is_local from edd_license_activations
      where license_id = ? and activated = '1' and trim(site_name) <> '' order by cast(site_id as integer)`,
  );
  const ordinals = new Map<number, number>();
  return (row) => {
    const id = Number(row.id);
    const code = (row.license_key ?? '').trim();
    const productId = idOf(row.download_id);
    if (meantCode(code) === '') return 'no-code';
    if (productId === null) return 'no-product';
    const order = orderOf(row, read(row.payment_id ?? ''), productId);
    const buyer = order?.userId ?? buyerOf({ ...row, email: null }, plan.buyers);
    if (order) ordinals.set(order.id, (ordinals.get(order.id) ?? 0) + 1);
    const createdAt = utcOf(row.date_created) ?? now;
    const expiresAt = epochOf(row.expiration);
    const values = new SaleValues(plan.exponent);
    const license: ForeignLicense = {
      id,
      code,
      productId,
      userId: buyer ?? plan.buyers.ofLicense.get(id) ?? 0,
      order: order
        ? { id: order.id, ordinal: ordinals.get(order.id) ?? 1, isPaid: isPaid(order) }
        : null,
      // `inactive` is there one that is in use nowhere yet, `expired` one whose end has come.
      status: row.status === 'disabled' ? 'inactive' : 'active',
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
    const reasons: Reason[] = [
      ...values.reasons,
      ...(order ? [] : (['order-missing'] as const)),
      ...(isDated ? [] : (['date-unknown'] as const)),
    ];
    return { license, reasons };
  };
}

const isPaid = (order: ForeignOrder) =>
  order.rootId === null && (paidStatuses as readonly string[]).includes(statusOf(order));

/** The part of its order that a licence is for: that with its product, or the whole of a bundle's. */
function orderOf(
  row: Row,
  found: ReturnType<ReturnType<typeof orderReader>>,
  productId: number,
): ForeignOrder | undefined {
  if (!found || !('parts' in found)) return undefined;
  const { parts } = found;
  return (
    parts.find((part) => part.productId === productId) ??
    parts[wholeOf(row.cart_index) ?? 0] ??
    parts[0]
  );
}

/** Seats: the licence's own, else those of its price option, else of its product; 0 = no limit. */
function limitReader({ staging, plan }: Pick<Context, 'staging' | 'plan'>) {
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
    // One at least, rather than any number: those that are taken stay.
    return values.isReadable ? limit : 1;
  };
}
