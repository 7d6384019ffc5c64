import { changeAsSystem } from '../../kernel/command/system.ts';
import type { Services } from '../../kernel/endpoint/services.ts';
import { loadSettlement } from '../../reactions/settlement.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import type { WriteAccess } from '../../kernel/endpoint/endpoint.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { Books } from './settling.ts';

/** The books as the service keeps them by itself. */
export const ownBooks = (services: Services, settings: SettingsRow): Books => ({
  settings,
  http: services.outbound,
  now: services.clock.now(),
  settle: async (session_id, decide) => {
    const refusal = await changeAsSystem(services, {
      load: loadSettlement(session_id),
      decide: (loaded) => ({ ...decide(loaded), reply: null }),
    });
    return refusal?.refused;
  },
  note: async (write) => {
    await changeAsSystem(services, { load: {}, decide: () => ({ write, reply: null }) });
  },
});

/** The books as a request keeps them. @param reply what a change is to be answered with, which nobody reads */
export const requestBooks = <Body>(
  db: WriteAccess<Body>,
  reply: Body,
  { settings, http, now }: { settings: SettingsRow; http: Outbound; now: Date },
): Books => ({
  settings,
  http,
  now,
  settle: async (session_id, decide) => {
    const outcome = await db.change({
      load: loadSettlement(session_id),
      decide: (loaded) => ({ ...decide(loaded), reply }),
    });
    return isRefusal(outcome) ? outcome.refused : undefined;
  },
  note: async (write) => {
    await db.change({ load: {}, decide: () => ({ write, reply }) });
  },
});
