import { preparedList } from '../../kernel/lists/prepared.ts';
import { listOrders } from '../../queries/orders.ts';
import { totalOrders } from '../../queries/order-totals.ts';

/** The lists of orders: of the store, and of a member. */
export const orderList = preparedList(
  { list: listOrders, count: totalOrders },
  // By itself: what a new isolate or connection is asked for first has no other statements to make.
  [{}],
  [
    { status: 'text' },
    { user_id: 'bigint' },
    { affiliate_id: 'bigint' },
    { member_id: 'bigint' },
    { member_id: 'bigint', status: 'text' },
  ],
);
