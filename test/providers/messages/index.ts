import { CloudflareEmail } from './cloudflare.ts';
import { FonnteServer } from './fonnte.ts';
import { RelayServer } from './relay.ts';
import { ResendServer } from './resend.ts';
import type { TestSender } from './sender.ts';
import { WhatsAppServer } from './whatsapp.ts';

/** The senders on this machine, made anew by each call. */
export const senders: Readonly<Record<string, () => TestSender>> = {
  resend: () => new ResendServer(),
  cloudflare: () => new CloudflareEmail(),
  fonnte: () => new FonnteServer(),
  whatsapp: () => new WhatsAppServer(),
  relay: () => new RelayServer(),
};

export const senderNames = Object.keys(senders);
