import type { Config } from '../../config.ts';
import type { MessageMedium } from '../../schema/lists.ts';
import { cloudflare } from './cloudflare.ts';
import { fonnte } from './fonnte.ts';
import { log } from './log.ts';
import { relay } from './relay.ts';
import { resend } from './resend.ts';
import type { Sender } from './sender.ts';
import { whatsapp } from './whatsapp.ts';

export type Senders = Readonly<Partial<Record<MessageMedium, Sender>>>;

const made = new WeakMap<Config, Senders>();

/**
 * Returns the senders of a deployment. The seller's own service takes the media that have no other sender.
 * @throws Error naming the missing variables of a sender, or two senders of one medium
 */
export function sendersOf(config: Config): Senders {
  const known = made.get(config);
  if (known) return known;
  const own = relay(config);
  const email =
    oneOf(
      [resend(config), cloudflare(config)],
      'RESEND_API_KEY and the binding EMAIL both send e-mail: remove one of them.',
    ) ?? own;
  const chat =
    oneOf(
      [fonnte(config), whatsapp(config)],
      'FONNTE_TOKEN and WHATSAPP_TOKEN both send WhatsApp messages: remove one of them.',
    ) ?? own;
  const senders = {
    ...(email && { email }),
    ...(chat && { whatsapp: chat }),
    ...(own && { sms: own }),
  };
  made.set(config, senders);
  return senders;
}

/** @throws Error with the message if there are several */
function oneOf(senders: readonly (Sender | undefined)[], message: string): Sender | undefined {
  const [sender, second] = senders.filter((each) => each !== undefined);
  if (second) throw new Error(message);
  return sender;
}

export const senderNamed = (config: Config, id: string): Sender | undefined =>
  Object.values(sendersOf(config)).find((sender) => sender.id === id);

/** Returns the sender of a medium. Messages of a medium without one only appear in the log. */
export const senderFor = (config: Config, medium: MessageMedium): Sender =>
  sendersOf(config)[medium] ?? log;
