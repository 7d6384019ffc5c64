import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countPayouts, listPayouts } from '../../queries/payouts.ts';
import { toPayout } from '../../domain/payout/rules.ts';
import { Payout, PayoutQuery } from '../../domain/payout/schemas.ts';

export const listPayoutsEndpoint = endpoint({
  id: 'payouts.list',
  route: ['GET /payouts'],
  summary: 'List payouts',
  access: apiKey('commissions:read'),
  effect: 'read',
  query: PayoutQuery,
  reply: [200, page(Payout)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listPayouts, count: countPayouts, show: toPayout }),
);
