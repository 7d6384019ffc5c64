import { defineEvents } from '../../kernel/events/define.ts';
import { DeletedRecord } from '../../kernel/schemas/replies.ts';
import { Coupon } from './schemas.ts';

export const couponEvent = defineEvents('coupons:read', {
  'coupon.created': { summary: 'A coupon was created.', payload: Coupon },
  'coupon.updated': { summary: 'A coupon was changed.', payload: Coupon },
  'coupon.exhausted': { summary: 'A coupon reached its limit of uses.', payload: Coupon },
  'coupon.deleted': { summary: 'A coupon was deleted.', payload: DeletedRecord },
});
