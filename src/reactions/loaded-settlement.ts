import { type Results, type Write, drawId } from '../kernel/database/statements.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { findSession, orderOfSession } from '../queries/payment-sessions.ts';
import { findProviderRefunds } from '../queries/provider-refunds.ts';
import { findRefunds } from '../queries/refunds.ts';
import { loadUndecided } from '../queries/undecided.ts';
import { findUnexpectedOf } from '../queries/unexpected-payments.ts';
import type { ReactionCode } from './index.ts';
import { loadOrderUpdate } from './plan.ts';

export const loadSettlement = (session_id: number) => ({
  ...loadOrderUpdate(orderOfSession(session_id)),
  session: findSession(session_id),
  unexpected: findUnexpectedOf(session_id),
  refundsThere: findProviderRefunds(session_id),
  ofOrder: findRefunds(orderOfSession(session_id)),
  unexpectedId: drawId('unexpected_payments'),
  restId: drawId('refunds'),
  ...loadUndecided(orderOfSession(session_id)),
});

export type LoadedSettlement = Results<ReturnType<typeof loadSettlement>>;

export interface Settlement {
  readonly write: readonly Write<'out_of_stock' | ReactionCode>[];
  readonly events: readonly DomainEvent[];
}

export const nothing: Settlement = { write: [], events: [] };
