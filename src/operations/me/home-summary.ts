import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { ownRecord } from '../../kernel/endpoint/envelope.ts';
import { asOwn } from './rules.ts';
import { homeSummary, loadHome } from './summary.ts';
import { HomeSummary } from './summary-schemas.ts';

export const getHomeSummary = endpoint({
  id: 'me.homeSummary',
  route: ['GET /me/home-summary'],
  summary: 'Read the figures of the start page',
  description:
    'What the user sells as an affiliate, what they bought and have, and their latest orders.',
  access: session(),
  effect: 'read',
  etag: true,
  reply: [200, ownRecord(HomeSummary)],
}).handle(async ({ principal, db, now }) => {
  const loaded = await db.query(loadHome(principal.userId, now));
  return asOwn(principal, { data: homeSummary(loaded, principal), meta: {} });
});
