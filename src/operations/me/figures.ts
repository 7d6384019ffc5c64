import { endpoint, ownRecord, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readFigures } from '../../actions/affiliates/reading.ts';
import { AffiliateFigures, FiguresQuery } from '../../domain/affiliate/figures.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const getOwnFigures = endpoint({
  id: 'me.figures',
  route: ['GET /me/figures'],
  summary: 'Get your figures as an affiliate',
  description:
    'Visits through your links, and the orders that count for you, by day, product, page or campaign (`sub=` in a link).',
  access: session(),
  effect: 'read',
  query: FiguresQuery,
  reply: [200, ownRecord(AffiliateFigures)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db }) => {
  const figures = await readFigures(db, principal.userId, query);
  return isRefusal(figures) ? figures : asOwn(principal, { data: figures, meta: {} });
});
