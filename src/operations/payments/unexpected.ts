import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { ListedUnexpectedPayment, UnexpectedQuery } from '../../domain/payment/schemas.ts';
import { countUnexpected, listUnexpected } from '../../queries/unexpected-payments.ts';

export const listUnexpectedPayments = endpoint({
  id: 'payments.unexpected',
  route: ['GET /payments/unexpected'],
  summary: 'List unexpected payments',
  description:
    'Money that came through a payment provider and that no order waited for, or not in this amount. The webhook event `payment.unexpected` reports each of them. They are kept until somebody decides what to do.',
  access: apiKey('payments:read'),
  effect: 'read',
  query: UnexpectedQuery,
  reply: [200, page(ListedUnexpectedPayment)],
}).handle(async ({ query, db }) =>
  readList(db, query, {
    list: listUnexpected,
    count: countUnexpected,
    show: ({ payment, refunded_total, order }) => ({ ...payment, refunded_total, order }),
  }),
);
