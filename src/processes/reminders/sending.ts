import type { Need } from '../../kernel/budget.ts';
import { Collision, DatabaseUnavailable, unlessCutOff } from '../../kernel/database/errors.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { queueReminders } from '../../queries/message-claims.ts';
import { messageMedia } from '../../schema/lists.ts';
import { sendNow as sendMessages } from '../messages/sending.ts';

/** Reminders that become messages in one call. */
const most = 200;

const need: Need = { calls: 1, kept: 0 };

export async function queueDue({ connection, clock, budget }: Services): Promise<void> {
  for (let more = true; more;) {
    if (budget.fits(need) === 0) return budget.putOff();
    const unit = new UnitOfWork(connection, undefined);
    const queued = await unit.write([], queueReminders(most, clock.now()));
    more = queued.length === most;
  }
}

/** Sends due reminders at once. */
export async function sendNow(services: Services): Promise<void> {
  await unlessCutOff([DatabaseUnavailable, Collision], () => queueDue(services));
  await sendMessages(services, messageMedia);
}
