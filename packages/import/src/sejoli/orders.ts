import { statusGroupMembers } from '../../../../src/exports/store.ts';
import { boughtTitle } from '../html-text.ts';
import { type ReadOrder, orderMade } from '../records/order.ts';
import { amountOf, idOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { codesOf } from './coupons.ts';
import { type OrderRow, neededOf, readOrder } from './order.ts';
import { type Plan, type StagedShop, eachRow } from './plan.ts';
import { signupFeeOf } from './products.ts';

/** Imports orders, the first of each chain before its renewals. */
export const ordersStep = eachRow({
  entity: 'orders',
  table: 'sejolisa_orders',
  query: `select ID from sejolisa_orders
           order by cast(coalesce(order_parent_id, 0) as integer) > 0, cast(ID as integer)`,
  reader({ staging, plan, numbers }) {
    const read = orderReader(staging, plan);
    return ({ ID }) => orderMade(read(ID ?? '') ?? { refusal: 'value-impossible' }, numbers);
  },
});

export function orderReader(
  staging: StagedShop,
  plan: Plan,
): (id: string) => ReadOrder | undefined {
  const { database } = staging;
  const select = database.prepare(
    `select o.*, c.ID as coupon, c.code as coupon_code_there, c.user_id as coupon_owner,
            (select meta_value from usermeta
              where user_id = o.user_id and meta_key = '_affiliate_id') as sponsor, p.post_title as title
       from sejolisa_orders o
       left join posts p on p.ID = o.product_id and p.post_type = 'sejoli-product'
       left join sejolisa_coupons c on c.ID = o.coupon_id and o.coupon_id <> '0'
      where o.ID = ?`,
  );
  const term = database.prepare('select 1 from sejolisa_subscriptions where order_id = ?');
  const rootOf = rootReader(staging, plan);
  const taken = takenFigures(staging, plan);
  const signupFees = feeReader(staging, plan);
  const codes = codesOf(staging, plan);
  return (id) => {
    const row = select.get(id) as (OrderRow & Record<string, string | null>) | undefined;
    if (!row) return undefined;
    const coupon = idOf(row['coupon']);
    const { rootId, isBroken } = rootOf(Number(id));
    const read = readOrder(row, {
      plan,
      rootId,
      signupFee: row.type === 'subscription-signup' ? signupFees(row.product_id ?? '') : 0,
      coupon:
        coupon === null
          ? null
          : { id: coupon, code: codes.get(coupon) ?? '', ownerId: idOf(row['coupon_owner']) },
      sponsorId: idOf(row['sponsor']),
      isFigureTaken: taken.has(Number(id)),
      hasTerm: term.get(id) !== undefined,
      title: boughtTitle(row['title']),
    });
    if ('refusal' in read || !isBroken) return read;
    return { ...read, reasons: [...read.reasons, 'parent-missing'] };
  };
}

/** Follows orders to the first of their chain; missing, refused and circular parents are ignored. */
export function rootReader({ database }: StagedShop, plan: Plan) {
  const parents = new Map<number, number>();
  const rows = database
    .prepare(
      `select o.ID as of, p.* from sejolisa_orders o
         left join sejolisa_orders p on p.ID = o.order_parent_id
        where cast(coalesce(o.order_parent_id, 0) as integer) > 0 and o.order_parent_id <> o.ID`,
    )
    .iterate() as Iterable<OrderRow & { readonly of: string }>;
  for (const { of, ...parent } of rows)
    parents.set(Number(of), typeof neededOf(parent, plan) === 'string' ? 0 : Number(parent.ID));
  return (id: number): { rootId: number | null; isBroken: boolean } => {
    const seen = new Set([id]);
    let root = id;
    for (;;) {
      const parent = parents.get(root);
      if (parent === undefined) return { rootId: root === id ? null : root, isBroken: false };
      if (parent === 0 || seen.has(parent)) {
        const top = parent === 0 ? root : Math.min(...seen);
        return { rootId: top === id ? null : top, isBroken: true };
      }
      seen.add(parent);
      root = parent;
    }
  };
}

/** Ids of open orders with the total of an earlier open one. */
function takenFigures({ database }: StagedShop, { statuses, exponent }: Plan): ReadonlySet<number> {
  const unpaid: readonly string[] = statusGroupMembers.unpaid;
  const open = [...statuses].filter(([, ours]) => unpaid.includes(ours)).map(([theirs]) => theirs);
  const rows = database
    .prepare(
      `select ID as id, grand_total from sejolisa_orders
        where status in (${open.map(() => '?').join()}) order by cast(ID as integer)`,
    )
    .iterate(...open) as Iterable<Record<'id' | 'grand_total', string | null>>;
  const [figures, taken] = [new Set<number>(), new Set<number>()];
  for (const { id, grand_total } of rows) {
    const figure = amountOf(grand_total, exponent)?.units;
    if (figure === undefined) continue;
    if (figures.has(figure)) taken.add(Number(id));
    else figures.add(figure);
  }
  return taken;
}

function feeReader(staging: StagedShop, plan: Plan): (product: string) => number {
  const meta = metaReader(staging, 'postmeta', 'post_id');
  const fees = new Map<string, number>();
  return (product) => {
    const fee = fees.get(product) ?? signupFeeOf(meta(product), plan);
    fees.set(product, fee);
    return fee;
  };
}
