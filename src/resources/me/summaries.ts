import { admin, session } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { ownRecord } from '../../http/envelope.ts';
import { isRefusal } from '../../http/errors.ts';
import { readEarnings } from '../affiliates/reading.ts';
import { CommissionSummary } from '../affiliates/schemas.ts';
import { asOwn } from './rules.ts';
import { SummaryQuery } from './schemas.ts';
import { adminSummary, homeSummary, loadAdmin, loadHome } from './summary-rules.ts';
import { AdminSummary, HomeSummary } from './summary-schemas.ts';

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

export const getAdminSummary = endpoint({
  id: 'me.adminSummary',
  route: ['GET /me/admin-summary'],
  summary: 'Read the figures of the store',
  description: 'For administrators: sales, what is to be done, and what sells.',
  access: admin(),
  effect: 'read',
  reply: [200, ownRecord(AdminSummary)],
}).handle(async ({ principal, db, now }) =>
  asOwn(principal, { data: adminSummary(await db.query(loadAdmin(now))), meta: {} }),
);

export const getCommissionSummary = endpoint({
  id: 'me.commissionSummary',
  route: ['GET /me/commission-summary'],
  summary: 'Read what the user has earned',
  description:
    'Of all time, or of the commissions made in a range of days: in all, by product, by tier and by day.',
  access: session(),
  effect: 'read',
  query: SummaryQuery,
  reply: [200, ownRecord(CommissionSummary)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db, now }) => {
  const earnings = await readEarnings(db, principal.userId, query, now);
  return isRefusal(earnings) ? earnings : asOwn(principal, { data: earnings, meta: {} });
});
