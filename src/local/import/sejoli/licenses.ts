import { meantCode } from '../../../domain/license/codes.ts';
import { licenses } from '../../../schema/licenses.ts';
import { type LicenseStatus, paidStatuses } from '../../../schema/lists.ts';
import { type Mapped, type StepContext, without } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, statusOf } from '../records/order.ts';
import { type ForeignLicense, type ToldLicense, licensesOfCode } from '../records/license.ts';
import { byCode } from '../same-code.ts';
import { SaleValues } from '../sale-values.ts';
import type { StagedRow } from '../source.ts';
import { idOf, localOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;
type Row = StagedRow<typeof sejoli, 'sejolisa_licenses'>;

/** Licences. The shop has a row for each place where one is in use: those of a code are one licence with us. */
export function* licensesStep(context: Context): Generator<Mapped> {
  const { staging, numbers } = context;
  const read = orderReader(staging, context.plan);
  const told = licenseReader(context, read);
  const table = { table: 'sejolisa_licenses', id: 'ID', code: 'code' };
  for (const rows of byCode<Row>(staging.database, table)) {
    const ofCode: ToldLicense[] = [];
    for (const { ID } of rows) numbers.above(licenses, Number(ID));
    for (const ofOrder of byOrder(rows, read)) {
      const one = told(ofOrder);
      if (typeof one === 'string')
        for (const { ID } of ofOrder) yield without('licenses', ID ?? '', 'refused', one);
      else ofCode.push(one);
    }
    yield* licensesOfCode(ofCode, numbers);
  }
}

/** The rows of a code by the orders that pay for them; those of none that is here are with the first that are. */
function byOrder(rows: readonly Row[], read: ReturnType<typeof orderReader>): readonly Row[][] {
  const isHere = ({ order_id }: Row) => 'order' in (read(order_id ?? '') ?? {});
  const [first = [], ...others] = [
    ...Map.groupBy(rows.filter(isHere), ({ order_id }) => order_id).values(),
  ];
  return [[...first, ...rows.filter((row) => !isHere(row))], ...others];
}

/** Reads what an order's rows of a code come to, or says why they can be no licence. */
function licenseReader({ staging, plan, now }: Context, read: ReturnType<typeof orderReader>) {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const ordinals = new Map<number, number>();
  return (rows: readonly Row[]): ToldLicense | Reason => {
    const [first] = rows;
    if (!first || meantCode(first.code ?? '') === '') return 'no-code';
    const found = read(first.order_id ?? '');
    if (!found || 'refusal' in found) return found ? 'order-not-imported' : 'order-missing';
    const { order } = found;
    const rootId = order.rootId ?? order.id;
    const ordinal = (ordinals.get(rootId) ?? 0) + 1;
    ordinals.set(rootId, ordinal);
    const createdAt = localOf(first.created_at, plan.timezone) ?? now;
    const values = new SaleValues(plan.exponent);
    const limit = values.whole(metaOf(first.product_id ?? '').get('_license_count'));
    const used = rows.filter(({ string }) => (string ?? '').trim() !== '');
    const license: ForeignLicense = {
      id: Number(first.ID),
      code: (first.code ?? '').trim(),
      productId: idOf(first.product_id) ?? order.productId,
      userId: idOf(first.user_id) ?? order.userId,
      order: { id: rootId, ordinal, isPaid: order.rootId === null && isPaid(order) },
      status: statusOfAll(rows),
      limit: values.isReadable ? limit : 1,
      // It lasts as long as its subscription, in the shop as in the store.
      expiresAt: null,
      maxResets: 3,
      activations: used.map((row) => ({
        string: row.string ?? '',
        isFree: false,
        at: localOf(row.updated_at, plan.timezone) ?? createdAt,
      })),
      createdAt,
      updatedAt: createdAt,
      origin: { source: 'sejoli' },
    };
    const others = rows.slice(1).map(({ ID }) => ID ?? '');
    return { license, others, reasons: [...values.reasons, ...reasonsOf(rows)] };
  };
}

const isPaid = (order: ForeignOrder) =>
  (paidStatuses as readonly string[]).includes(statusOf(order));

/** Why a licence isn't what all of its rows say. */
function reasonsOf(rows: readonly Row[]): Reason[] {
  const isStrange = rows.some((row) => !idOf(row.product_id) || !idOf(row.user_id));
  const products = new Set(rows.map(({ product_id }) => product_id));
  const codes = new Set(rows.map(({ code }) => code?.trim()));
  return [
    ...(isStrange ? (['value-impossible'] as const) : []),
    ...(products.size > 1 ? (['other-product'] as const) : []),
    ...(codes.size > 1 ? (['code-read-alike'] as const) : []),
    ...(knownStatus(rows) ? [] : (['status-mapped'] as const)),
  ];
}

/** A licence may be used where any of its rows says so. */
const statusOfAll = (rows: readonly Row[]): LicenseStatus => knownStatus(rows) ?? 'pending';

function knownStatus(rows: readonly Row[]): LicenseStatus | undefined {
  const said = new Set(rows.map(({ status }) => status));
  return (['active', 'pending', 'inactive'] as const).find((status) => said.has(status));
}
