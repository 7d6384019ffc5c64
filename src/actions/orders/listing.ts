import { preparedList } from '../../kernel/lists/prepared.ts';
import { listOrders } from '../../queries/orders.ts';
import { totalOrders } from '../../queries/order-totals.ts';

export const orderList = preparedList(
  { list: listOrders, count: totalOrders },
  // Without filters: the first request of a new isolate or connection then has no other statements to build.
  [{}],
  [
    { status: 'text' },
    { user_id: 'bigint' },
    { affiliate_id: 'bigint' },
    { member_id: 'bigint' },
    { member_id: 'bigint', status: 'text' },
  ],
);
