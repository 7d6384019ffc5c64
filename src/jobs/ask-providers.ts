import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import {
  changed,
  failedSession,
  nextCheck,
  unansweredSession,
} from '../domain/payment/sessions.ts';
import { systemAccess } from '../kernel/command/store.ts';
import { askProvider, unlessOfProvider, write } from '../processes/payments/ask-provider.ts';
import { gatewaysOf } from '../providers/payments/index.ts';
import { findDueSessions, noteSession, takeDueSessions } from '../queries/payment-sessions.ts';
import { findSettings } from '../queries/settings.ts';
import type { SessionRow } from '../schema/payments.ts';
import type { SettingsRow } from '../schema/platform.ts';
import { inTurns } from './turns.ts';

/**
 * Asks providers about payments that may still bring money, in case callbacks were lost, and closes pages that are no
 * longer wanted. If a provider does not answer, its payment is asked about again a minute later, or an hour later if it
 * is paid.
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

interface DueSession {
  readonly session: SessionRow;
  readonly settings: SettingsRow;
}

async function ask({ session, settings }: DueSession, services: Services): Promise<void> {
  const store = systemAccess(services);
  const { now } = store;
  const gateway = gatewaysOf(services.config).find(({ id }) => id === session.gateway);
  const note = async (after: SessionRow) =>
    void (await write(store, [noteSession(session, after)]));
  // Nobody knows the page's address, so nobody can pay there.
  if (session.status === 'opening') return note(failedSession(session, now));
  if (!gateway) {
    // The gateway is off. A payment is asked about once it is on again.
    const waiting = { ...changed(session, now), check_at: nextCheck(session, now) };
    return note(unansweredSession(session, now) ?? waiting);
  }
  const http = services.outbound;
  await askProvider({ session, gateway, settings, http }, store).catch((error: unknown) => {
    unlessOfProvider(error);
    const after = unansweredSession(session, now);
    return after && note(after);
  });
}
