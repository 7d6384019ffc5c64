import * as z from 'zod';
import { endpoint, ownPage, session } from '../../kernel/endpoint/declare.ts';
import { pageOf } from '../../kernel/lists/reply.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { readPage } from '../../kernel/lists/read.ts';
import { countCoupons, findTemplates, listCoupons } from '../../queries/coupons.ts';
import { type CouponRow, forAffiliate, toCoupon } from '../../domain/coupon/rules.ts';
import { findUser } from '../../queries/users.ts';
import { Coupon } from '../../domain/coupon/schemas.ts';
import { copiable } from '../../actions/coupons/copying.ts';
import { asOwn } from '../../actions/me/rules.ts';

const OwnCoupons = ownPage(Coupon);

export const listAffiliateCoupons = endpoint({
  id: 'me.affiliateCoupons.list',
  route: ['GET /me/affiliate-coupons'],
  summary: 'List your coupons',
  description:
    '`meta.templates` lists the templates the user can copy; it is empty without `can_affiliate_coupon`. Which users and groups a coupon is limited to is not shown: `rule.user_ids` and `rule.group_ids` are always empty here.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [
    200,
    OwnCoupons.extend({
      meta: OwnCoupons.shape.meta.extend({
        templates: z.array(Coupon).describe('Templates the user may copy now.'),
      }),
    }),
  ],
}).handle(async ({ principal, query, db, now }) => {
  const own = { ...query, user_id: principal.userId };
  const { rows, total, me, templates } = await readPage(
    db,
    query,
    (window) => listCoupons(own, window),
    () => countCoupons(own),
    { me: findUser(principal.userId), templates: findTemplates() },
  );
  const shown = (row: CouponRow) => forAffiliate(toCoupon(row, now));
  const { data, meta } = pageOf(query, rows.map(shown), total);
  const live = copiable(me[0], templates, now);
  return asOwn(principal, { data, meta: { ...meta, templates: live.map(shown) } });
});
