import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import { countLinks, insertMailedLink } from '../../queries/accounts.ts';
import type { Language } from '../../schema/lists.ts';
import { sendsMail } from '../console/mailing.ts';
import { sendLinkMail } from '../messages/link-mail.ts';

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

/** Sends a sign-in link to the member with an address, if there is one. */
export async function mailAccountLink(
  email: string,
  words: Words,
  services: Services,
): Promise<void> {
  const { config, connection, authority, clock } = services;
  if (!sendsMail(config)) return;
  const { token, kept } = await newSecret('svcenter', authority);
  const unit = new UnitOfWork(connection, undefined);
  const [found] = await unit.write([countLinks], insertMailedLink(kept, email, clock.now()));
  if (!found) return;
  const { store_name: store } = found;
  const language = found.language ?? 'en';
  const { mailSubject, mailText } = words[language];
  const text = mailText(store, `${config.BASE_URL}/account?link=${token}`);
  await sendLinkMail({ email, subject: mailSubject(store), text, store, language }, services);
}
