import type { Services } from '../../kernel/deployment/services.ts';
import { htmlOf } from '../../domain/message/html.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import type { Language } from '../../schema/lists.ts';

/** A mail whose link is stored nowhere. A person who doesn't get it asks again. */
interface LinkMail {
  readonly email: string;
  readonly subject: string;
  readonly text: string;
  readonly store: string;
  readonly language: Language;
}

/** Sends the mail at once: it is neither queued nor logged. */
export async function sendLinkMail(
  { email, subject, text, store, language }: LinkMail,
  { config, outbound, clock }: Services,
): Promise<void> {
  await sendersOf(config).email?.send(
    {
      key: crypto.randomUUID(),
      ...{ message_id: 0, kind: 'sign-in-link', medium: 'email', recipient: email },
      ...{ reminder_id: null, order_id: null, user_id: null },
      content: {
        subject,
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
