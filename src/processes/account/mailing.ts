import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import { countLinks, insertAddressLink, insertMailedLink } from '../../queries/accounts.ts';
import { findSettings } from '../../queries/settings.ts';
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
      addressSubject: (store: string) => string;
      addressText: (store: string, url: string) => string;
      movedSubject: (store: string) => string;
      movedText: (store: string) => string;
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

/** Sends a confirmation link to the address that a member wants to change to, if nobody has it. */
export async function mailAddressLink(
  asked: { readonly user_id: number; readonly email: string },
  words: Words,
  services: Services,
): Promise<void> {
  const { config, connection, authority, clock } = services;
  if (!sendsMail(config)) return;
  const { token, kept } = await newSecret('svcenter', authority);
  const unit = new UnitOfWork(connection, undefined);
  const [found] = await unit.write([countLinks], insertAddressLink(kept, asked, clock.now()));
  if (!found) return;
  const { store_name: store } = found;
  const language = found.language ?? 'en';
  const { addressSubject, addressText } = words[language];
  const text = addressText(store, `${config.BASE_URL}/account/email?link=${token}`);
  const { email } = asked;
  await sendLinkMail({ email, subject: addressSubject(store), text, store, language }, services);
}

/** Tells an address that it belongs to a member's account no longer. */
export async function tellOldAddress(
  email: string,
  words: Words,
  services: Services,
): Promise<void> {
  if (!sendsMail(services.config)) return;
  const unit = new UnitOfWork(services.connection, undefined);
  const { settings } = await unit.query({ settings: findSettings() });
  const { store_name: store = '', language = 'en' } = settings[0] ?? {};
  const { movedSubject, movedText } = words[language];
  const text = movedText(store);
  await sendLinkMail({ email, subject: movedSubject(store), text, store, language }, services);
}
