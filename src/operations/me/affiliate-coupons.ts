import * as z from 'zod';
import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { ownPage } from '../../kernel/endpoint/envelope.ts';
import { pageOf, pageParameters, readPage } from '../../kernel/endpoint/pagination.ts';
import { countCoupons, findTemplates, listCoupons } from '../../queries/coupons.ts';
import { isLiveTemplate, toCoupon } from '../../domain/coupon/rules.ts';
import { Coupon } from '../../domain/coupon/schemas.ts';
import { asOwn } from './rules.ts';

const OwnCoupons = ownPage(Coupon);

export const listAffiliateCoupons = endpoint({
  id: 'me.affiliateCoupons',
  route: ['GET /me/affiliate-coupons'],
  summary: 'List the own coupons',
  description: 'With `meta.templates`: the templates that can be copied.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [
    200,
    OwnCoupons.extend({
      meta: OwnCoupons.shape.meta.extend({
        templates: z.array(Coupon).describe('Templates that an affiliate may copy now.'),
      }),
    }),
  ],
}).handle(async ({ principal, query, db, now }) => {
  const own = { ...query, user_id: principal.userId };
  const { rows, total, templates } = await readPage(
    db,
    query,
    (window) => listCoupons(own, window),
    () => countCoupons(own),
    { templates: findTemplates() },
  );
  const shown = rows.map((row) => toCoupon(row, now));
  const { data, meta } = pageOf(query, shown, total);
  const live = templates.filter((row) => isLiveTemplate(row, now));
  return asOwn(principal, {
    data,
    meta: { ...meta, templates: live.map((row) => toCoupon(row, now)) },
  });
});
