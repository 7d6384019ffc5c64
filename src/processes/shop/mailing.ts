import type { Services } from '../../kernel/deployment/services.ts';
import { htmlOf } from '../../domain/message/html.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import type { Language } from '../../schema/lists.ts';

/** A link that lets somebody go on with a purchase. */
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
      `Seseorang, mungkin Anda, ingin memesan di ${store}. Buka tautan ini dalam satu jam untuk melanjutkan:\n\n${url}\n\nJika bukan Anda, abaikan e-mail ini: tidak ada yang dipesan.`,
  },
} as const;

/** Sends the link to any address. The link is stored nowhere: people who don't get it ask again. */
export async function mailPurchaseLink(
  { email, url, store, language }: PurchaseMail,
  { config, outbound, clock }: Services,
): Promise<void> {
  const text = words[language].text(store, url);
  await sendersOf(config).email?.send(
    {
      key: crypto.randomUUID(),
      ...{ message_id: 0, kind: 'sign-in-link', medium: 'email', recipient: email },
      ...{ reminder_id: null, order_id: null, user_id: null },
      content: {
        subject: words[language].subject,
        text,
        html: htmlOf(text),
        language,
        from_name: store,
        approved: null,
        unsubscribe_url: null,
      },
    },
    outbound,
    clock.now(),
  );
}
