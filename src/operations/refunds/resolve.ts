import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { shownListed, shownProvided } from '../../domain/refund/rules.ts';
import { ListedRefund, RefundResolve } from '../../domain/refund/schemas.ts';
import { saveProviderRefund } from '../../queries/provider-refunds.ts';
import { findRefund } from '../../queries/refunds.ts';

export const resolveRefund = endpoint({
  id: 'refunds.resolve',
  route: ['POST /refunds/:id'],
  summary: 'Note that a failed refund was paid by hand',
  description:
    "Pay the money back first, for example by bank transfer: this operation moves no money. A refund that you make at the provider's dashboard is found there automatically and needs no note. The refund was `failed` and becomes `paid_by_hand`, also if its order has been deleted.",
  access: apiKey('orders:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  body: RefundResolve,
  reply: [200, record(ListedRefund)],
  errors: ['rest_not_found', 'refund_not_failed'],
}).handle(async ({ params, db, now }) =>
  db.change({
    load: { found: findRefund(params.id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_not_found');
      const { provided } = row;
      if (provided === null || shownProvided(row).state !== 'failed') {
        return refuse('refund_not_failed');
      }
      const paid_by_hand_at = now.toISOString();
      const after = { ...row, provided: { ...provided, paid_by_hand_at } };
      return {
        write: [saveProviderRefund(provided, { paid_by_hand_at }, now)],
        before: shownListed(row),
        reply: one(shownListed(after)),
      };
    },
  }),
);
