import { alertOf, statusOf } from '../actions/status/rules.ts';
import { GuardFailure } from '../kernel/database/errors.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { tellOperator } from '../kernel/errors/tell.ts';
import { mediaOf } from '../processes/messages/messaging.ts';
import { queueAlert } from '../queries/message-claims.ts';
import { findStatus } from '../queries/status.ts';
import { findTroubles, keepTroubles } from '../queries/store-mark.ts';

/** Checks the store's figures, and reports those that are out of order to the seller. */
export async function alertSeller({ connection, config, clock }: Services): Promise<void> {
  const now = clock.now();
  const unit = new UnitOfWork(connection, undefined);
  const { status, marks } = await unit.query({ status: findStatus(now), marks: findTroubles() });
  const [row] = status.rows;
  const [mark] = marks;
  if (!row || !mark) return;
  const { troubles, told } = alertOf(statusOf(row), mark.troubles, now);
  try {
    await unit.write([
      keepTroubles(mark.checked_at, troubles, now),
      ...(told.length > 0 ? [queueAlert(mediaOf(config), now)] : []),
    ]);
  } catch (error) {
    if (error instanceof GuardFailure) return;
    throw error;
  }
  // Also logged, since the sender of messages may be out of order.
  if (told.length > 0) tellOperator({ job: 'alerts', error: 'OutOfOrder', figures: told });
}
