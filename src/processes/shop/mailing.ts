import type { Services } from '../../kernel/deployment/services.ts';
import type { Language } from '../../schema/lists.ts';
import { sendLinkMail } from '../messages/link-mail.ts';

/** A mail that lets somebody continue a purchase. */
interface PurchaseMail {
  readonly email: string;
  readonly url: string;
  readonly store: string;
  readonly language: Language;
}

const words = {
  en: {
    subject: 'Your order: one more step',
    text: (store: string, url: string) =>
      `Somebody, probably you, wants to order at ${store}. Open this link within an hour to go on:\n\n${url}\n\nIf it wasn't you, ignore this e-mail: nothing was ordered.`,
  },
  id: {
    subject: 'Pesanan Anda: satu langkah lagi',
    text: (store: string, url: string) =>
      `Seseorang, mungkin Anda, ingin memesan di ${store}. Buka tautan ini dalam satu jam untuk melanjutkan:\n\n${url}\n\nJika bukan Anda, abaikan email ini: tidak ada yang dipesan.`,
  },
} as const;

export function mailPurchaseLink(
  { url, ...mail }: PurchaseMail,
  services: Services,
): Promise<void> {
  const { subject, text } = words[mail.language];
  return sendLinkMail({ ...mail, subject, text: text(mail.store, url) }, services);
}
