import { changeAsSystem } from '../kernel/command/system.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { stateChanged } from '../domain/user/events.ts';
import {
  findStateChanges,
  findToldStates,
  noteToldStates,
  settling,
} from '../queries/settings-states.ts';

/** Changes per turn. The next turn continues. */
const most = 500;

/** Raises one event for each access or licence that began or ended by time. */
export async function tellStates(services: Services, limit: number = most): Promise<void> {
  const now = services.clock.now();
  const until = new Date(now.getTime() - settling * 1000);
  await changeAsSystem(services, {
    load: { told: findToldStates(), changes: findStateChanges(until, now, limit) },
    decide: ({ told: [before], changes: { rows } }) => {
      const last = rows.length === limit ? rows.at(-1) : undefined;
      if (!before || (before.states_told_at ?? '') > until.toISOString())
        return { write: [], reply: null };
      return {
        write: [
          noteToldStates(before, {
            states_told_at: last?.at ?? until.toISOString(),
            states_told_user: last ? Number(last.user_id) : Number.MAX_SAFE_INTEGER,
          }),
        ],
        events: rows.map(({ user_id, part }) => stateChanged(Number(user_id), part)),
        reply: null,
      };
    },
  });
}
