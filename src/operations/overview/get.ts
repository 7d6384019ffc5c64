import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { loadOverview, overview } from '../../actions/overview/overview.ts';
import { Overview } from '../../actions/overview/schemas.ts';

export const getOverview = endpoint({
  id: 'overview.get',
  route: ['GET /overview'],
  summary: 'Get the overview of the store',
  description:
    "Open tasks, and the sales of the store compared with earlier periods. A part that needs another scope than `orders:read` is null without it. Days are those of the store's time zone.",
  access: apiKey('orders:read'),
  effect: 'read',
  reply: [200, record(Overview)],
}).handle(async ({ principal, db, config, now }) =>
  one(overview(await db.query(loadOverview(now)), principal, config)),
);
