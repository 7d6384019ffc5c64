import { preparedList } from '../../kernel/lists/prepared.ts';
import { listOrders } from '../../queries/orders.ts';
import { totalOrders } from '../../queries/order-totals.ts';

/** The lists of orders: of the store, and of a member. */
export const orderList = preparedList(
  { list: listOrders, count: totalOrders },
  // Prepared as a trip of its own: the first request of a new isolate or connection has no other statements to build.
  [{}],
  [
    { status: 'text' },
    { user_id: 'bigint' },
    { affiliate_id: 'bigint' },
    { member_id: 'bigint' },
    { member_id: 'bigint', status: 'text' },
  ],
);
