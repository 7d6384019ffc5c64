import * as z from 'zod';
import { endpoint, one, record, session } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { Id } from '../../lib/schemas.ts';
import { couponEvent } from '../../domain/coupon/events.ts';
import { claimCopy, findTemplate, insertCoupon } from '../../queries/coupons.ts';
import { forAffiliate, isLiveTemplate, newCoupon, toCoupon } from '../../domain/coupon/rules.ts';
import { Coupon, CouponCode } from '../../domain/coupon/schemas.ts';
import { findSettings } from '../../queries/settings.ts';
import { findUser } from '../../queries/users.ts';
import { toUser } from '../../domain/user/rules.ts';

export const createAffiliateCoupon = endpoint({
  id: 'me.affiliateCoupons.create',
  route: ['POST /me/affiliate-coupons'],
  summary: 'Create a coupon from a template',
  description:
    'The coupon belongs to the user and takes its discount, rules and limits from the template. Orders that use it count for the user. `rule.user_ids` and `rule.group_ids` are not shown, as in `GET /me/affiliate-coupons`.',
  access: session(),
  effect: 'write',
  body: z
    .object({
      code: CouponCode,
      coupon_parent_id: Id.describe(
        'Id of a template, from `meta.templates` of `GET /me/affiliate-coupons`.',
      ),
    })
    .meta({ id: 'AffiliateCouponCreate' }),
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
