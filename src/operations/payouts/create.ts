import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { payoutEvent } from '../../domain/payout/events.ts';
import { findDraftsHolding } from '../../queries/payout-lines.ts';
import { insertPayout } from '../../queries/payouts.ts';
import { newPayout, toPayout } from '../../domain/payout/rules.ts';
import { Payout, PayoutCreate } from '../../domain/payout/schemas.ts';
import { findPayee } from '../../queries/users.ts';
import { sumPayable } from '../../queries/commission-payouts.ts';

export const createPayout = endpoint({
  id: 'payouts.create',
  route: ['POST /payouts'],
  summary: 'Pay an affiliate',
  description:
    'Records that an affiliate is paid; it sends no money. Call it before the transfer, and transfer the `amount` of the reply. If the transfer fails, cancel the payout. The payout takes every commission that is payable now and in no draft payout run, each exactly once, even if calls run in parallel. Amounts taken back after an earlier payout are deducted; if nothing is left to pay, they carry over to the next payout. If a draft payout run has a negative line of the affiliate, nothing is payable until the draft is confirmed or discarded. A payout run leaves out blocked and erased users. Their earnings are still owed and paid here, though the name and bank account of an erased one are gone.',
  access: apiKey('payouts:write'),
  fresh: true,
  effect: 'write',
  body: PayoutCreate,
  reply: [201, record(Payout)],
  errors: ['rest_not_found', 'nothing_payable'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('payouts'),
      settings: findSettings(),
      affiliate: findPayee(body.affiliate_id),
      sum: sumPayable({ ...body, now }),
      drafts: findDraftsHolding(body.affiliate_id),
    },
    decide: ({ id, settings: [settings], affiliate: [affiliate], sum: [sum], drafts }) => {
      if (!affiliate || !settings) return unknownReference('affiliate_id');
      const { currency } = settings;
      const negative = drafts.find(({ amount }) => amount < 0);
      if (negative) return refuse('nothing_payable', { message: deductedBy(negative) });
      if (currency === null || !sum || sum.amount <= 0) {
        return refuse('nothing_payable', { message: nothingPayable(drafts[0]) });
      }
      const created = newPayout(body, affiliate, sum, { id: nextId(id), currency, now });
      const record = toPayout(created);
      return {
        write: insertPayout(created, now),
        events: [payoutEvent('payout.paid', record)],
        reply: one(record),
      };
    },
  }),
);

const deductedBy = ({ run_id }: { run_id: number }) =>
  `The draft of payout run ${run_id} deducts more from the affiliate than it pays. Confirm or discard it.`;

const nothingPayable = (draft: { run_id: number } | undefined) =>
  draft
    ? `The draft of payout run ${draft.run_id} holds commissions of the affiliate, and nothing else is payable. Confirm or discard it.`
    : 'The affiliate has no payable commissions.';
