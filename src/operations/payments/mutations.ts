import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { BankMutation, MutationQuery } from '../../domain/payment/mutation-schemas.ts';
import { countMutations, listMutations } from '../../queries/bank-mutations.ts';

export const listBankMutations = endpoint({
  id: 'payments.mutations',
  route: ['GET /payments/mutations'],
  summary: 'List bank mutations',
  description:
    "Lines of the statements of the store's bank accounts, as they are read by a service such as Moota. If exactly one order waits for this amount in this account, the transfer marks it paid. Otherwise it stays `open`, for example if it may be the late transfer of a cancelled order or if it could not be read (`unread`), and the webhook event `mutation.unmatched` reports it.",
  access: apiKey('payments:read'),
  effect: 'read',
  query: MutationQuery,
  reply: [200, page(BankMutation)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listMutations, count: countMutations, show: (row) => row }),
);
