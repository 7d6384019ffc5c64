import type { SQL } from 'drizzle-orm';
import { type Results, drawId, nextId } from '../../kernel/database/statements.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { couponEvent } from '../../domain/coupon/events.ts';
import {
  type CouponRow,
  forAffiliate,
  isLiveTemplate,
  newCoupon,
  toCoupon,
} from '../../domain/coupon/rules.ts';
import { type UserRow, toUser } from '../../domain/user/rules.ts';
import { claimCopy, findTemplate, insertCoupon } from '../../queries/coupons.ts';
import { findSettings } from '../../queries/settings.ts';
import { findUser } from '../../queries/users.ts';

export const copyErrors = [
  'rest_not_found',
  'rest_forbidden',
  'coupon_code_exists',
  'coupon_quota',
] as const;

interface CopyRequest {
  readonly code: string;
  readonly coupon_parent_id: number;
}

export const loadCopy = (template_id: number, user_id: number | SQL<number>) => ({
  id: drawId('coupons'),
  me: findUser(user_id),
  template: findTemplate(template_id),
  settings: findSettings(),
});

/** A copy has the template's terms, and the status in the settings. */
export function planCopy(
  { id, me: [me], template: [parent], settings: [settings] }: Results<ReturnType<typeof loadCopy>>,
  asked: CopyRequest,
  now: Date,
) {
  if (!me || !mayCopy(me)) {
    return refuse('rest_forbidden', { message: 'You may not make coupons of your own.' });
  }
  const live = parent && isLiveTemplate({ coupon: parent, parent: null, usage: 0 }, now);
  if (!parent || !live || !settings) return refuse('rest_not_found');
  const input = { ...asked, user_id: me.user.id, status: settings.affiliate_coupon_status };
  const coupon = newCoupon(input, nextId(id), parent, now);
  const made = toCoupon(coupon, now);
  const limit = parent.rule.limit_affiliate_coupon;
  return {
    write: [claimCopy(parent.id, me.user.id, limit), ...insertCoupon(coupon)],
    events: [couponEvent('coupon.created', made)],
    made: forAffiliate(made),
  };
}

const mayCopy = (me: UserRow): boolean => toUser(me).can_affiliate_coupon;

export const copiable = (
  me: UserRow | undefined,
  templates: readonly CouponRow[],
  now: Date,
): CouponRow[] => (me && mayCopy(me) ? templates.filter((row) => isLiveTemplate(row, now)) : []);
