import { admin, endpoint, ownRecord } from '../../kernel/endpoint/declare.ts';
import { asOwn } from '../../actions/me/rules.ts';
import { adminSummary, loadAdmin } from '../../actions/me/summary.ts';
import { AdminSummary } from '../../actions/me/summary-schemas.ts';

export const getAdminSummary = endpoint({
  id: 'me.adminSummary',
  route: ['GET /me/admin-summary'],
  summary: 'Get the summary of the store',
  description: 'For administrators: sales, pending work and best sellers.',
  access: admin(),
  effect: 'read',
  reply: [200, ownRecord(AdminSummary)],
}).handle(async ({ principal, db, now }) =>
  asOwn(principal, { data: adminSummary(await db.query(loadAdmin(now))), meta: {} }),
);
