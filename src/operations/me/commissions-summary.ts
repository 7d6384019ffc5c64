import { endpoint, ownRecord, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readEarnings } from '../../actions/affiliates/reading.ts';
import { CommissionSummary } from '../../domain/affiliate/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';
import { SummaryQuery } from '../../actions/me/schemas.ts';

export const getCommissionSummary = endpoint({
  id: 'me.commissions.summary',
  route: ['GET /me/commission-summary'],
  summary: 'Get your earnings',
  description:
    'Sums of all commissions, or only of those created on certain days: in total, by product, by tier and by day.',
  access: session(),
  effect: 'read',
  query: SummaryQuery,
  reply: [200, ownRecord(CommissionSummary)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db, now }) => {
  const earnings = await readEarnings(db, principal.userId, query, now);
  return isRefusal(earnings) ? earnings : asOwn(principal, { data: earnings, meta: {} });
});
