import { sql } from 'drizzle-orm';
import { alertOf, statusOf } from '../actions/status/rules.ts';
import { GuardFailure } from '../kernel/database/errors.ts';
import { raw } from '../kernel/database/statements.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { tellOperator } from '../kernel/errors/tell.ts';
import { mediaOf } from '../processes/messages/messaging.ts';
import { queueNotices } from '../queries/message-claims.ts';
import { findStatus } from '../queries/status.ts';
import { findTroubles, keepTroubles } from '../queries/store-mark.ts';

const notice = { kind: 'store-alert', to: 'seller', order_id: null, record_id: null } as const;

/** Looks at the store's figures, and tells the seller of those that went out of order. */
export async function alertSeller({ connection, config, clock }: Services): Promise<void> {
  const now = clock.now();
  const unit = new UnitOfWork(connection, undefined);
  const { status, marks } = await unit.query({ status: findStatus(now), marks: findTroubles() });
  const [row] = status.rows;
  const [mark] = marks;
  if (!row || !mark) return;
  const { troubles, told } = alertOf(statusOf(row), mark.troubles, now);
  const queued = told.length > 0 ? queueNotices([notice], mediaOf(config), now) : undefined;
  try {
    await unit.write([
      keepTroubles(mark.checked_at, troubles, now),
      ...(queued ? [raw(sql`select ${queued}`)] : []),
    ]);
  } catch (error) {
    if (error instanceof GuardFailure) return;
    throw error;
  }
  // A sender may be what is out of order.
  if (told.length > 0) tellOperator({ job: 'alerts', error: 'OutOfOrder', figures: told });
}
