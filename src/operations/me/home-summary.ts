import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { ownRecord } from '../../kernel/endpoint/envelope.ts';
import { asOwn } from './rules.ts';
import { homeSummary, loadHome } from './summary.ts';
import { HomeSummary } from './summary-schemas.ts';

export const getHomeSummary = endpoint({
  id: 'me.homeSummary',
  route: ['GET /me/home-summary'],
  summary: 'Get the home page summary',
  description:
    'What the user sold as an affiliate, what they bought and have access to, and their latest orders.',
  access: session(),
  effect: 'read',
  etag: true,
  reply: [200, ownRecord(HomeSummary)],
}).handle(async ({ principal, db, now }) => {
  const loaded = await db.query(loadHome(principal.userId, now));
  return asOwn(principal, { data: homeSummary(loaded, principal), meta: {} });
});
