import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { toRisk } from '../../domain/risk/rules.ts';
import { Risk, RiskQuery } from '../../domain/risk/schemas.ts';
import { countRisks, listRisks } from '../../queries/risks.ts';

export const listRisksEndpoint = endpoint({
  id: 'risks.list',
  route: ['GET /risks'],
  summary: 'List risks',
  description:
    'Suspicions that an affiliate earns from their own purchases, newest first. While one is `open`, it holds commissions; affiliates see only that these are held.',
  access: apiKey('risks:read'),
  effect: 'read',
  query: RiskQuery,
  reply: [200, page(Risk)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listRisks, count: countRisks, show: toRisk }),
);
