import { type LicenseStatus, meantCode } from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { isPaid, ordersIn, statusOf, withoutOrder } from '../records/order.ts';
import { type ToldLicense, licenseSteps, ordinals } from '../records/license.ts';
import { SaleValues } from '../sale-values.ts';
import type { StagedRow } from '../source.ts';
import { idOf, localOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { orderReader, rootReader } from './orders.ts';
import type { Context, Plan } from './plan.ts';
import type { sejoli } from './source.ts';

type Row = StagedRow<typeof sejoli, 'sejolisa_licenses'>;

/** The shop has a row for each place of use. All rows of a code become one licence. */
export const licensesStep = licenseSteps<typeof sejoli, Plan>()({
  table: 'sejolisa_licenses',
  code: 'code',
  reader(context) {
    const read = orderReader(context.staging, context.plan);
    return { parts: (rows) => byOrder(rows, read), told: licenseReader(context, read) };
  },
});

/** Groups the rows of a code by order. Rows whose order isn't imported join the first group. */
function byOrder(rows: readonly Row[], read: ReturnType<typeof orderReader>) {
  const isHere = ({ order_id }: Row) => ordersIn(read(order_id ?? '')).length > 0;
  const [first = [], ...others] = [
    ...Map.groupBy(rows.filter(isHere), ({ order_id }) => order_id).values(),
  ];
  return [[...first, ...rows.filter((row) => !isHere(row))], ...others];
}

function licenseReader({ staging, plan, now }: Context, read: ReturnType<typeof orderReader>) {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const ordinalOf = ordinals();
  const renewalsOf = renewalReader({ staging, plan });
  const isPaying = (id: number) =>
    ordersIn(read(String(id))).some((order) => isPaid(statusOf(order)));
  return (rows: readonly Row[], id: number): ToldLicense | Reason => {
    const [first] = rows;
    if (!first || meantCode(first.code ?? '') === '') return 'no-code';
    const found = read(first.order_id ?? '');
    const [order] = ordersIn(found);
    if (!order) return withoutOrder(found);
    const rootId = order.rootId ?? order.id;
    const createdAt = localOf(first.created_at, plan.timezone) ?? now;
    const values = new SaleValues(plan.exponent);
    const limit = values.whole(metaOf(first.product_id ?? '').get('_license_count'));
    const used = rows.filter(({ string }) => (string ?? '').trim() !== '');
    const license = {
      id,
      code: (first.code ?? '').trim(),
      productId: idOf(first.product_id) ?? order.productId,
      userId: idOf(first.user_id) ?? order.userId,
      order: {
        id: rootId,
        ordinal: ordinalOf(rootId),
        isPaid: isPaying(rootId),
        renewals: renewalsOf(rootId).filter(isPaying),
      },
      status: knownStatus(rows) ?? 'pending',
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

/** Finds the orders that renew a first order. */
function renewalReader({ staging, plan }: Pick<Context, 'staging' | 'plan'>) {
  const rootOf = rootReader(staging, plan);
  const renewals = new Map<number, number[]>();
  const rows = staging.database
    .prepare(
      `select cast(ID as integer) as id from sejolisa_orders
        where cast(coalesce(order_parent_id, 0) as integer) > 0 order by 1`,
    )
    .iterate();
  for (const row of rows) {
    const id = Number(row['id']);
    const { rootId } = rootOf(id);
    if (rootId === null) continue;
    const known = renewals.get(rootId);
    if (known) known.push(id);
    else renewals.set(rootId, [id]);
  }
  return (root: number): readonly number[] => renewals.get(root) ?? [];
}

const reasonsOf = (rows: readonly Row[]): Reason[] =>
  because({
    'value-impossible': rows.some((row) => !idOf(row.product_id) || !idOf(row.user_id)),
    'other-product': new Set(rows.map(({ product_id }) => product_id)).size > 1,
    'code-read-alike': new Set(rows.map(({ code }) => code?.trim())).size > 1,
    'status-mapped': !knownStatus(rows),
  });

/** The status of a licence, which is active if any of its rows is. */
function knownStatus(rows: readonly Row[]): LicenseStatus | undefined {
  const said = new Set(rows.map(({ status }) => status));
  return (['active', 'pending', 'inactive'] as const).find((status) => said.has(status));
}
