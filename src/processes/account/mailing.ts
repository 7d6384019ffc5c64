import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import { htmlOf } from '../../domain/message/html.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { countLinks, insertMailedLink } from '../../queries/accounts.ts';
import type { Language } from '../../schema/lists.ts';

/** The words of the mail, by language. */
type Words = Readonly<
  Record<
    Language,
    {
      mailSubject: (store: string) => string;
      mailText: (store: string, url: string) => string;
    }
  >
>;

/** Sends a sign-in link to the member with an address, if there is one. The link is stored nowhere. */
export async function mailAccountLink(
  email: string,
  words: Words,
  { config, connection, authority, outbound, clock }: Services,
): Promise<void> {
  const sender = sendersOf(config).email;
  if (!sender) return;
  const { token, kept } = await newSecret('svcenter', authority);
  const unit = new UnitOfWork(connection, undefined);
  const [found] = await unit.write([countLinks], insertMailedLink(kept, email, clock.now()));
  if (!found) return;
  const { store_name: store } = found;
  const language = found.language ?? 'en';
  const text = words[language].mailText(store, `${config.BASE_URL}/account?link=${token}`);
  await sender.send(
    {
      key: crypto.randomUUID(),
      ...{ message_id: 0, kind: 'sign-in-link', medium: 'email', recipient: email },
      ...{ reminder_id: null, order_id: null, user_id: null },
      content: {
        subject: words[language].mailSubject(store),
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
