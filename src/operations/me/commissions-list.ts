import { forEarner } from '../../domain/commission/rules.ts';
import { endpoint, ownPage, session } from '../../kernel/endpoint/declare.ts';
import { readCommissions } from '../../actions/commissions/reading.ts';
import { Commission } from '../../domain/commission/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';
import { OwnCommissionQuery } from '../../actions/me/schemas.ts';

export const listOwnCommissions = endpoint({
  id: 'me.commissions.list',
  route: ['GET /me/commissions'],
  summary: 'List your commissions',
  description:
    'Earnings of the user on any tier, newest first, with the adjustments that later changes to the orders caused. `note` and `flags` are for the store only and always empty here. Filters combine.',
  access: session(),
  effect: 'read',
  query: OwnCommissionQuery,
  reply: [200, ownPage(Commission)],
}).handle(async ({ principal, query, db, now }) => {
  const own = { ...query, affiliate_id: principal.userId };
  const { data, meta } = await readCommissions(db, own, now);
  return asOwn(principal, { data: data.map(forEarner), meta });
});
