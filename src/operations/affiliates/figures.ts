import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readFigures } from '../../actions/affiliates/reading.ts';
import { AffiliateFigures, FiguresQuery } from '../../domain/affiliate/figures.ts';
import { AffiliateParams } from '../../domain/affiliate/schemas.ts';

export const getFigures = endpoint({
  id: 'affiliates.figures',
  route: ['GET /affiliates/:affiliate_id/figures'],
  summary: "Get an affiliate's figures",
  description:
    'Visits through their links, and the orders that count for them, by day, product, page or campaign (`sub=` in a link). Figures stay when the visits are removed after `affiliate_link_days` (a setting).',
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: FiguresQuery,
  reply: [200, record(AffiliateFigures)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const figures = await readFigures(db, params.affiliate_id, query);
  return isRefusal(figures) ? figures : one(figures);
});
