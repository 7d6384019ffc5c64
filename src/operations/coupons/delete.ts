import {
  apiKey,
  Deleted,
  deletedRecord,
  endpoint,
  IdParams,
  one,
} from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { findCoupon, saveCoupon } from '../../queries/coupons.ts';
import { couponEvent } from '../../domain/coupon/events.ts';
import { updatedCoupon } from '../../domain/coupon/rules.ts';

export const deleteCoupon = endpoint({
  id: 'coupons.delete',
  route: ['DELETE /coupons/:id'],
  summary: 'Delete a coupon',
  description:
    'Its code becomes available again. Orders that used it keep their discount; its copies stop working.',
  access: apiKey('coupons:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findCoupon(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'coupon');
      if (isRefusal(before)) return before;
      const after = updatedCoupon(before, {}, now);
      after.coupon.deleted_at = now.toISOString();
      const gone = deletedRecord(params.id);
      const events = [couponEvent('coupon.deleted', gone)];
      return { write: saveCoupon(before, after), events, reply: one(gone) };
    },
  }),
);
