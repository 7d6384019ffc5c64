import * as z from 'zod';
import { session } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one, ownPage, record } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { pageOf, pageParameters, readPage } from '../../http/pagination.ts';
import { Id } from '../../lib/schemas.ts';
import { couponEvent } from '../coupons/events.ts';
import {
  claimCopy,
  countCoupons,
  findTemplate,
  findTemplates,
  insertCoupon,
  listCoupons,
} from '../coupons/queries.ts';
import {
  type CouponRow,
  forAffiliate,
  isLiveTemplate,
  newCoupon,
  toCoupon,
} from '../coupons/rules.ts';
import { Coupon, CouponCode } from '../coupons/schemas.ts';
import { findSettings } from '../platform/queries.ts';
import { findUser } from '../users/queries.ts';
import { toUser } from '../users/rules.ts';
import { asOwn } from './rules.ts';

const OwnCoupons = ownPage(Coupon);

export const listAffiliateCoupons = endpoint({
  id: 'me.affiliateCoupons',
  route: ['GET /me/affiliate-coupons'],
  summary: 'List the own coupons',
  description:
    'With `meta.templates`: the templates that the user can copy, none without `can_affiliate_coupon`. Which users and groups a coupon is limited to is not shown: `rule.user_ids` and `rule.group_ids` are always empty here.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [
    200,
    OwnCoupons.extend({
      meta: OwnCoupons.shape.meta.extend({
        templates: z.array(Coupon).describe('Templates that the user may copy now.'),
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
  const mayCopy = me[0] !== undefined && toUser(me[0]).can_affiliate_coupon;
  const live = mayCopy ? templates.filter((row) => isLiveTemplate(row, now)) : [];
  return asOwn(principal, { data, meta: { ...meta, templates: live.map(shown) } });
});

export const createAffiliateCoupon = endpoint({
  id: 'me.createAffiliateCoupon',
  route: ['POST /me/affiliate-coupons'],
  summary: 'Copy a template into an own coupon',
  description:
    'Owner, discount, rules and limits come from the store; who uses the coupon counts for its owner. `rule.user_ids` and `rule.group_ids` are not shown, as in `GET /me/affiliate-coupons`.',
  access: session(),
  effect: 'write',
  body: z.object({
    code: CouponCode,
    coupon_parent_id: Id.describe('A template of `GET /me/affiliate-coupons`.'),
  }),
  reply: [201, record(Coupon)],
  errors: ['rest_not_found', 'rest_forbidden', 'coupon_code_exists', 'coupon_quota'],
}).handle(async ({ principal, body, db, now }) =>
  db.change({
    load: {
      id: drawId('coupons'),
      me: findUser(principal.userId),
      template: findTemplate(body.coupon_parent_id),
      settings: findSettings(),
    },
    decide: ({ id, me: [me], template: [parent], settings: [settings] }) => {
      if (!me || !toUser(me).can_affiliate_coupon) {
        return refuse('rest_forbidden', { message: 'You may not make coupons of your own.' });
      }
      const live = parent && isLiveTemplate({ coupon: parent, parent: null, usage: 0 }, now);
      if (!parent || !live || !settings) return refuse('rest_not_found');
      const input = {
        ...body,
        user_id: principal.userId,
        status: settings.affiliate_coupon_status,
      };
      const coupon = newCoupon(input, nextId(id), parent, now);
      const made = toCoupon(coupon, now);
      const limit = parent.rule.limit_affiliate_coupon;
      return {
        write: [claimCopy(parent.id, principal.userId, limit), ...insertCoupon(coupon)],
        events: [couponEvent('coupon.created', made)],
        reply: one(forAffiliate(made)),
      };
    },
  }),
);
