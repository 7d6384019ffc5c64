import type { Actor } from '../../kernel/auth/actor.ts';
import type { Argument, Results, Write } from '../../kernel/database/statements.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import type { DomainEvent } from '../../kernel/events/define.ts';
import { type ChangeRequest, cancelled } from '../../domain/subscription/changes.ts';
import type { SubscriptionCancel } from '../../domain/subscription/schemas.ts';
import { findSettings } from '../../queries/settings.ts';
import {
  expectNoneUnpaid,
  expectNoneWaiting,
  findUnpaidRenewals,
  waitingRenewal,
} from '../../queries/order-chains.ts';
import { tryAgain } from '../../queries/subscription-writes.ts';
import { type ReactionCode, reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planStatus } from '../../reactions/plan.ts';
import { loadMove, planMove, requestOf, stateOf } from './moving.ts';

export const cancelErrors = [
  'rest_not_found',
  'rest_invalid_param',
  'rest_invalid_transition',
  'out_of_stock',
  'subscription_over',
  'subscription_payment_pending',
  ...reactionErrors,
] as const;

/** Renewals that the first try loads. A retry loads as many as exist. */
const usually = 1;

/** Waiting renewals that the previous try found. */
export interface Tried {
  readonly waiting: number;
}

export function loadCancellation(id: number, again: Tried | undefined, user_id?: Argument<number>) {
  const places = Array.from({ length: again?.waiting ?? usually }, (_, place) => place);
  const renewals = places.map(
    (place) => [place, loadOrderUpdate(waitingRenewal(id, place))] as const,
  );
  return {
    ...loadMove(id, user_id),
    settings: findSettings(),
    unpaid: findUnpaidRenewals(id),
    renewals: Object.fromEntries(renewals),
  };
}

interface Request {
  readonly actor: Actor;
  readonly by: ChangeRequest['by'];
  readonly ifMatch: number | undefined;
  readonly now: Date;
}

/** Also cancels the renewals that wait for their payment. */
export function planCancellation(
  loaded: Results<ReturnType<typeof loadCancellation>>,
  input: SubscriptionCancel,
  { actor, by, ifMatch, now }: Request,
) {
  const state = stateOf(loaded, ifMatch);
  if (isRefusal(state)) return state;
  const reviewed = loaded.unpaid.find(({ status }) => status === 'payment-confirm');
  if (input.at === 'now' && reviewed) {
    return refuse('subscription_payment_pending', { data: { order_id: reviewed.id } });
  }
  const move = cancelled(state, input, requestOf(loaded, by, now));
  if (isRefusal(move)) return move;
  const planned = planMove(loaded, state, move, now);
  const waiting = loaded.unpaid.filter(({ status }) => status !== 'payment-confirm');
  const found = Object.values(loaded.renewals);
  const again: Tried = { waiting: waiting.length };
  if (planned.write.length === 0) return { ...planned, again };
  if (waiting.length > found.length) return { ...planned, write: [tryAgain], again };
  const check = input.at === 'now' ? expectNoneUnpaid : expectNoneWaiting;
  const write: Write<ReactionCode | 'out_of_stock'>[] = [];
  const events: DomainEvent[] = [];
  for (const renewal of found.filter((one) => one.found.length > 0)) {
    const change = { status: 'cancelled', note: 'The subscription was cancelled.' } as const;
    const plan = planStatus(renewal, change, { actor, ifMatch: undefined, now });
    if (isRefusal(plan)) return plan;
    write.push(...plan.write);
    events.push(...plan.events);
  }
  return {
    ...planned,
    // The write waits for a renewal that is being placed. The check then sees it.
    write: [...write, ...planned.write, check(state.subscription.id)],
    events: [...events, ...planned.events],
    again,
  };
}
