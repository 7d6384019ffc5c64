import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/endpoint/services.ts';
import { changed, failedSession, isGivenUp, nextCheck } from '../domain/payment/sessions.ts';
import { ownBooks } from '../operations/payments/books.ts';
import { askProvider, unlessOfProvider } from '../operations/payments/settling.ts';
import { gatewaysOf } from '../providers/payments/index.ts';
import { findDueSessions, noteSession, takeDueSessions } from '../queries/payment-sessions.ts';
import { findSettings } from '../queries/settings.ts';
import type { SessionRow } from '../schema/payments.ts';
import type { SettingsRow } from '../schema/platform.ts';
import { inTurns } from './turns.ts';

/**
 * Asks providers about the payments that money may come for, whatever callbacks are lost; closes the
 * pages that nobody is to pay on any more. One that a provider doesn't tell of is asked about again a
 * minute later.
 */
export const askProviders = (services: Services): Promise<void> =>
  inTurns(
    services,
    takeDueSessions,
    async (ids) => {
      const { sessions, settings } = await new UnitOfWork(services.connection, undefined).query({
        sessions: findDueSessions(ids),
        settings: findSettings(),
      });
      return settings.flatMap((own) => sessions.map((session) => ({ session, settings: own })));
    },
    (due) => ask(due, services),
  );

/** A payment to ask about. */
interface DueSession {
  readonly session: SessionRow;
  readonly settings: SettingsRow;
}

async function ask({ session, settings }: DueSession, services: Services): Promise<void> {
  const books = ownBooks(services, settings);
  const { now } = books;
  const gateway = gatewaysOf(services.config).find(({ id }) => id === session.gateway);
  const isOver = isGivenUp(session, now) && session.status !== 'paid';
  const giveUp = () => books.note([noteSession(session, failedSession(session, now))]);
  // A page whose address nobody was told is nobody's to pay on.
  if (session.status === 'opening' || (isOver && !gateway)) return giveUp();
  if (!gateway) {
    // It was switched off; when it is on again, the payment is asked about again.
    const later = { ...changed(session, now), check_at: nextCheck(session, now) };
    return books.note([noteSession(session, later)]);
  }
  await askProvider(session, gateway, books).catch((error: unknown) => {
    unlessOfProvider(error);
    return isOver ? giveUp() : undefined;
  });
}
