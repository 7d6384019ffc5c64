import type { OrderChange, OrderTarget } from '../domain/order/change.ts';
import type { Results, Write } from '../kernel/database/statements.ts';
import { type Refusal, isRefusal } from '../kernel/errors/errors.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { access } from './access.ts';
import { commissions } from './commissions.ts';
import { confirmations } from './confirmations.ts';
import { coupons } from './coupons.ts';
import { groups } from './groups.ts';
import { keptMoney } from './kept-money.ts';
import { licenses } from './licenses.ts';
import { newBuyers } from './new-buyers.ts';
import type { Consequence } from './reaction.ts';
import { paymentSessions } from './payment-sessions.ts';
import { refunds } from './refunds.ts';
import { reminders } from './reminders.ts';
import { changedChain, subscriptions } from './subscriptions.ts';
import { transferAmount } from './transfer-figure.ts';

/**
 * The effects of an order's change. They are loaded in the order's trip and written in its transaction, in this order:
 * the order's reservations (coupon use, transfer amount, payment page, other money), its reports and refunds, the earnings
 * of affiliates, the buyer's account, the buyer's goods.
 */
const reactions = {
  coupons,
  transferAmount,
  paymentSessions,
  keptMoney,
  confirmations,
  refunds,
  commissions,
  groups,
  newBuyers,
  subscriptions,
  access,
  licenses,
  reminders,
} as const;

export type ReactionCode = (typeof reactions)[keyof typeof reactions]['errors'][number];

/** Every endpoint that changes orders declares these errors. */
export const reactionErrors: readonly ReactionCode[] = Object.values(reactions).flatMap(
  ({ errors }): readonly ReactionCode[] => errors,
);

export const loadReactions = (target: OrderTarget) => ({
  coupons: coupons.load(target),
  transferAmount: transferAmount.load(target),
  paymentSessions: paymentSessions.load(target),
  keptMoney: keptMoney.load(target),
  confirmations: confirmations.load(target),
  refunds: refunds.load(target),
  commissions: commissions.load(target),
  groups: groups.load(target),
  newBuyers: newBuyers.load(target),
  subscriptions: subscriptions.load(target),
  access: access.load(target),
  licenses: licenses.load(target),
  reminders: reminders.load(target),
});

export type LoadedReactions = Results<ReturnType<typeof loadReactions>>;

export const react = (change: OrderChange, loaded: LoadedReactions) =>
  together([
    coupons.decide(change, loaded.coupons),
    transferAmount.decide(change, loaded.transferAmount),
    paymentSessions.decide(change, loaded.paymentSessions),
    keptMoney.decide(change, loaded.keptMoney),
    confirmations.decide(change, loaded.confirmations),
    refunds.decide(change, loaded.refunds),
    commissions.decide(change, loaded.commissions),
    groups.decide(change, loaded.groups, {
      before: loaded.subscriptions.subscription[0],
      after: changedChain(change, loaded.subscriptions)?.subscription,
    }),
    // Follows the groups, because it changes the same user.
    newBuyers.decide(change, loaded.newBuyers, loaded.groups.buyer[0]),
    subscriptions.decide(change, loaded.subscriptions),
    // Access and licences depend on the changed subscription, as groups do.
    access.decide(change, loaded.access, changedChain(change, loaded.subscriptions)),
    licenses.decide(change, loaded.licenses, {
      subscription: loaded.subscriptions.subscription[0],
      changed: changedChain(change, loaded.subscriptions),
    }),
    reminders.decide(change, loaded.reminders),
  ]);

function together(
  outcomes: readonly (Consequence<ReactionCode> | Refusal<ReactionCode>)[],
): Required<Consequence<ReactionCode>> | Refusal<ReactionCode> {
  const write: Write<ReactionCode>[] = [];
  const events: DomainEvent[] = [];
  for (const outcome of outcomes) {
    if (isRefusal(outcome)) return outcome;
    write.push(...outcome.write);
    events.push(...(outcome.events ?? []));
  }
  return { write, events };
}
