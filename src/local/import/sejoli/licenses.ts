import { licenses } from '../../../schema/licenses.ts';
import { type LicenseStatus, paidStatuses } from '../../../schema/lists.ts';
import { grouped } from '../grouped.ts';
import { type Mapped, type StepContext, imported, withReasons, without } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, statusOf } from '../records/order.ts';
import { licenseRows } from '../records/license.ts';
import { SaleValues } from '../sale-values.ts';
import type { StagedRow } from '../source.ts';
import { blanks, idOf, localOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;
type Row = StagedRow<typeof sejoli, 'sejolisa_licenses'>;

/** Licences. The shop has a row for each place where one is in use: those of a code are one licence with us. */
export function* licensesStep(context: Context): Generator<Mapped> {
  const { staging, plan, numbers, now } = context;
  const read = orderReader(staging, plan);
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const ordinals = new Map<number, number>();
  for (const rows of byCode(staging)) {
    const [first] = rows;
    if (!first) continue;
    for (const { ID } of rows) numbers.above(licenses, Number(ID));
    const id = Number(first.ID);
    if ((first.code ?? '').trim() === '') {
      for (const { ID } of rows) yield without('licenses', ID ?? '', 'refused', 'no-code');
      continue;
    }
    const found = read(first.order_id ?? '');
    if (!found || 'refusal' in found) {
      const reason = found ? 'order-not-imported' : 'order-missing';
      for (const { ID } of rows) yield without('licenses', ID ?? '', 'refused', reason);
      continue;
    }
    const { order } = found;
    const rootId = order.rootId ?? order.id;
    const ordinal = (ordinals.get(rootId) ?? 0) + 1;
    ordinals.set(rootId, ordinal);
    const createdAt = localOf(first.created_at, plan.timezone) ?? now;
    const values = new SaleValues(plan.exponent);
    const limit = values.whole(metaOf(first.product_id ?? '').get('_license_count'));
    const written = licenseRows(
      {
        id,
        code: first.code ?? '',
        productId: idOf(first.product_id) ?? order.productId,
        userId: idOf(first.user_id) ?? order.userId,
        order: { id: rootId, ordinal, isPaid: order.rootId === null && isPaid(order) },
        status: statusOfAll(rows),
        limit: values.isReadable ? limit : 1,
        // It lasts as long as its subscription, in the shop as in the store.
        expiresAt: null,
        maxResets: 3,
        activations: rows
          .filter(({ string }) => (string ?? '').trim() !== '')
          .map((row) => ({
            string: row.string ?? '',
            isFree: false,
            at: localOf(row.updated_at, plan.timezone) ?? createdAt,
          })),
        createdAt,
        updatedAt: createdAt,
        origin: { source: 'sejoli' },
      },
      numbers,
    );
    yield withReasons(imported('licenses', id, [id], written), [
      ...values.reasons,
      ...reasonsOf(rows),
    ]);
    // What its other rows say is in the first one's.
    for (const { ID } of rows.slice(1))
      yield {
        ...without('licenses', ID ?? '', 'left-out', 'joined', String(id)),
        outcome: 'changed',
      };
  }
}

const isPaid = (order: ForeignOrder) =>
  (paidStatuses as readonly string[]).includes(statusOf(order));

/** The rows of each code, in the order of the first of them. */
function byCode({ database }: Context['staging']): Iterable<readonly Row[]> {
  const rows = database
    .prepare(
      `select l.*, min(cast(ID as integer)) over (partition by upper(trim(code, ${blanks}))) as first
         from sejolisa_licenses l order by first, cast(ID as integer)`,
    )
    .iterate() as Iterable<Row & { readonly first: number }>;
  return grouped(rows, ({ first }) => first);
}

/** Why a licence isn't what all of its rows say. */
function reasonsOf(rows: readonly Row[]): Reason[] {
  const isStrange = rows.some((row) => !idOf(row.product_id) || !idOf(row.user_id));
  const products = new Set(rows.map(({ product_id }) => product_id));
  return [
    ...(isStrange ? (['value-impossible'] as const) : []),
    ...(products.size > 1 ? (['other-product'] as const) : []),
    ...(knownStatus(rows) ? [] : (['status-mapped'] as const)),
  ];
}

/** A licence may be used where any of its rows says so. */
const statusOfAll = (rows: readonly Row[]): LicenseStatus => knownStatus(rows) ?? 'pending';

function knownStatus(rows: readonly Row[]): LicenseStatus | undefined {
  const said = new Set(rows.map(({ status }) => status));
  return (['active', 'pending', 'inactive'] as const).find((status) => said.has(status));
}
