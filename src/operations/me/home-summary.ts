import { prepared } from '../../kernel/database/prepared.ts';
import { endpoint, ownRecord, session } from '../../kernel/endpoint/declare.ts';
import { asOwn } from '../../actions/me/rules.ts';
import { homeSummary, loadHome } from '../../actions/me/summary.ts';
import { HomeSummary } from '../../actions/me/summary-schemas.ts';

const load = prepared({ user_id: 'bigint', now: 'timestamptz' }, ({ user_id, now }) =>
  loadHome(user_id, now),
);

export const getHomeSummary = endpoint({
  id: 'me.homeSummary',
  route: ['GET /me/home-summary'],
  summary: 'Get the home page summary',
  description: "The user's sales as an affiliate, purchases and access, and latest orders.",
  access: session(),
  effect: 'read',
  etag: true,
  reply: [200, ownRecord(HomeSummary)],
}).handle(async ({ principal, db, now }) => {
  const loaded = await db.query(load({ user_id: principal.userId, now: now.toISOString() }));
  return asOwn(principal, { data: homeSummary(loaded, principal), meta: {} });
});
