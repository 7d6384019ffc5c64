import { anyScope } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { page } from '../../kernel/schemas/replies.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countPayouts, listPayouts } from '../../queries/payouts.ts';
import { toPayout } from '../../domain/payout/rules.ts';
import { Payout, PayoutQuery } from '../../domain/payout/schemas.ts';

export const listPayoutsEndpoint = endpoint({
  id: 'payouts.list',
  route: ['GET /payouts'],
  summary: 'List payouts',
  access: anyScope('payouts:read', 'commissions:read'),
  effect: 'read',
  query: PayoutQuery,
  reply: [200, page(Payout)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listPayouts, count: countPayouts, show: toPayout }),
);
