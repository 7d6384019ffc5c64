import { type ConfirmationDetail, confirmations } from '../../../../src/exports/store.ts';
import { insertInto } from '../mapped.ts';
import { ordersIn, statusOf, withoutOrder } from '../records/order.ts';
import type { PhpArray } from '../serialized.ts';
import { amountOf, asText, idOf, localOf, phpArray } from '../values.ts';
import { orderReader } from './orders.ts';
import { type Plan, eachRow } from './plan.ts';

type Status = (typeof confirmations.$inferInsert)['status'];

/** Imports payment confirmations. Their status follows from that of their order. */
export const confirmationsStep = eachRow({
  entity: 'confirmations',
  table: 'sejolisa_confirmations',
  reader({ staging, plan, now }) {
    const read = orderReader(staging, plan);
    // The last confirmation of an order counts.
    const lastOf = new Map<string, string>();
    for (const { order_id, ID } of staging.rows('sejolisa_confirmations'))
      lastOf.set(order_id ?? '', ID ?? '');
    return (row, id) => {
      const found = read(row.order_id ?? '');
      const [order] = ordersIn(found);
      if (!order) return { refusal: withoutOrder(found) };
      const said = phpArray(row.detail);
      const detail = detailOf(said ?? {}, plan);
      const at = localOf(row.created_at, plan.timezone) ?? now;
      const isLast = lastOf.get(row.order_id ?? '') === row.ID;
      const confirmation = insertInto(confirmations, {
        id,
        order_id: order.id,
        product_id: order.productId,
        user_id: idOf(row.user_id) ?? order.userId,
        status: isLast ? statuses[statusOf(order)] : 'superseded',
        detail,
        amount_expected: order.parts.total,
        amount_matches: detail.total === order.parts.total,
        created_at: at,
        updated_at: at,
      });
      return { rows: [confirmation], reasons: said ? [] : ['unreadable-details'] };
    };
  },
});

const statuses: Readonly<Record<ReturnType<typeof statusOf>, Status>> = {
  'payment-confirm': 'pending',
  'on-hold': 'rejected',
  'in-progress': 'approved',
  shipping: 'approved',
  completed: 'approved',
  refunded: 'superseded',
  cancelled: 'superseded',
};

function detailOf(said: PhpArray, { exponent }: Plan): ConfirmationDetail {
  const of = (name: string, most = 200) => asText(said[name]).slice(0, most);
  const proof = of('proof', 500);
  return {
    sender: of('sender'),
    account_number: of('account_number', 64),
    total: amountOf(of('total'), exponent)?.units ?? null,
    bank_sender: of('bank_sender'),
    bank_recipient: of('bank_recipient'),
    proof: /^https?:\/\//.test(proof) ? proof : '',
    note: of('note', 5000),
  };
}
