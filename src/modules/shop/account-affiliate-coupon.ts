import * as z from 'zod';
import { redirectTo } from '../../kernel/command/answers.ts';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { Id } from '../../lib/schemas.ts';
import { copyErrors, loadCopy, planCopy } from '../../actions/coupons/copying.ts';
import { CouponCode } from '../../domain/coupon/schemas.ts';
import { changeAsMember, memberForm } from './account-member.ts';

const page = '/account/affiliate';

/** Refusals that the page explains next to its form. */
const said: Readonly<Record<string, string>> = {
  coupon_code_exists: 'taken',
  coupon_quota: 'quota',
  rest_not_found: 'over',
};

/** Unchecked: the page shows the errors itself. */
const field = z.string().default('');

export const copyCoupon = endpoint({
  ...memberForm,
  id: 'shop.accountAffiliateCoupon',
  route: ['POST /account/affiliate/coupons'],
  summary: 'Make an affiliate a coupon of their own from a template',
  body: z.object({ code: field, template: field }),
  errors: copyErrors,
}).handle(async ({ body, ...context }) => {
  const code = CouponCode.safeParse(body.code.trim()).data;
  const coupon_parent_id = Id.safeParse(Number(body.template)).data ?? 0;
  const answer = await changeAsMember(context, {
    path: `${page}?said=saved#coupons`,
    load: (member) => loadCopy(coupon_parent_id, member),
    decide: (loaded) => {
      if (code === undefined) return { write: [], path: `${page}?said=code#coupons` };
      const planned = planCopy(loaded, { code, coupon_parent_id }, context.now);
      if (isRefusal(planned)) return planned;
      const { write, events } = planned;
      return { write, events };
    },
  });
  const why = isRefusal(answer) ? said[answer.refused] : undefined;
  return why ? redirectTo(`${context.config.BASE_URL}${page}?said=${why}#coupons`) : answer;
});
