import * as z from 'zod';
import { endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { type RenewalTry, loadRenewal, planRenewal } from '../../actions/subscriptions/renewing.ts';
import { couponRefusals } from '../../domain/coupon/rules.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { changeAsMember, memberForm } from './account-member.ts';

export const renewInAccount = endpoint({
  ...memberForm,
  id: 'shop.accountRenew',
  route: ['POST /account/subscriptions/:id/renew'],
  params: IdParams,
  summary: 'Place the order for the next payment of a subscription',
  // A page from before an upgrade says no terms, and is shown again.
  body: z.object({ pay: textUpTo(100), last: textUpTo(20), terms: textUpTo(20).default('') }),
  errors: [
    'rest_forbidden',
    'rest_not_found',
    'out_of_stock',
    'purchase_too_soon',
    'subscription_not_renewable',
    ...couponRefusals,
    ...reactionErrors,
  ],
}).handle(async ({ params: { id }, body, ...context }) => {
  const redirects = await loadGateways(context.config);
  const path = `/account/subscriptions/${id}`;
  return changeAsMember(context, {
    path,
    load: (member, again: RenewalTry | undefined) => loadRenewal(id, member, context.now, again),
    decide: (loaded, member, again) => {
      const asked = { ...body, redirects, member, now: context.now };
      const planned = planRenewal(loaded, asked, again);
      if ('refused' in planned) return { write: [], path: `${path}?said=changed` };
      const { order_id, ...decision } = planned;
      return { ...decision, path: `/account/orders/${order_id}` };
    },
  });
});
