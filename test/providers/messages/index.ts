import { CloudflareEmail } from './cloudflare.ts';
import { FonnteServer } from './fonnte.ts';
import { RelayServer } from './relay.ts';
import { ResendServer } from './resend.ts';
import type { TestSender } from './sender.ts';
import { WhatsAppServer } from './whatsapp.ts';

/** The senders that stores use, on this machine; each is made anew. */
export const senders: Readonly<Record<string, () => TestSender>> = {
  resend: () => new ResendServer(),
  cloudflare: () => new CloudflareEmail(),
  fonnte: () => new FonnteServer(),
  whatsapp: () => new WhatsAppServer(),
  relay: () => new RelayServer(),
};

/** The senders that a test speaks of, each by its name. */
export const senderNames = Object.keys(senders);
