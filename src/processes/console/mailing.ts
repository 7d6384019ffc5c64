import { changeAsSystem } from '../../kernel/command/system.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import type { Config } from '../../config.ts';
import { linkOf } from '../../actions/console/links.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { queueLink } from '../../queries/console-mails.ts';
import { sendNow } from '../messages/sending.ts';

export const sendsMail = (config: Config): boolean => sendersOf(config).email !== undefined;

/** Sends a link only to people with a role in the console. The work is the same for any address. */
export async function mailLink(email: string, services: Services): Promise<void> {
  if (!sendsMail(services.config)) return;
  const key = crypto.randomUUID();
  const link = await linkOf(key, services.authority);
  const mail = { key, to: { email }, now: services.clock.now() };
  await changeAsSystem(services, {
    load: {},
    decide: () => ({ write: queueLink(link, mail), reply: null }),
  });
  await sendNow(services, ['email']);
}
