import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import { countLinks, insertAddressLink, insertMailedLink } from '../../queries/accounts.ts';
import { findSettings } from '../../queries/settings.ts';
import type { Language } from '../../schema/lists.ts';
import { sendsMail } from '../console/mailing.ts';
import { sendLinkMail } from '../messages/link-mail.ts';

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

/** `user_id` is set to confirm a new address of a member. */
interface LinkRequest {
  readonly email: string;
  readonly user_id?: number;
}

/** Sends a sign-in link to a member, or a confirmation link to an address that nobody has. */
export async function mailLink(
  { email, user_id }: LinkRequest,
  words: Words,
  services: Services,
): Promise<void> {
  const { config, connection, authority, clock } = services;
  if (!sendsMail(config)) return;
  const { token, kept } = await newSecret('svcenter', authority);
  const link =
    user_id === undefined
      ? insertMailedLink(kept, email, clock.now())
      : insertAddressLink(kept, { user_id, email }, clock.now());
  const [found] = await new UnitOfWork(connection, undefined).write([countLinks], link);
  if (!found) return;
  const { store_name: store, language } = found;
  const { mailSubject, mailText, addressSubject, addressText } = words[language];
  const [path, subject, text] =
    user_id === undefined
      ? ['/account', mailSubject, mailText]
      : ['/account/email', addressSubject, addressText];
  const url = `${config.BASE_URL}${path}?link=${token}`;
  const mail = { email, subject: subject(store), text: text(store, url), store, language };
  await sendLinkMail(mail, services);
}

/** A member's former address, and the language they chose. */
export interface OldAddress {
  readonly email: string;
  readonly language: Language | null;
}

/** Tells an old address that it was removed from a member's account. */
export async function tellOldAddress(
  { email, language: chosen }: OldAddress,
  words: Words,
  services: Services,
): Promise<void> {
  if (!sendsMail(services.config)) return;
  const unit = new UnitOfWork(services.connection, undefined);
  const { settings } = await unit.query({ settings: findSettings() });
  const [row] = settings;
  if (!row) return;
  const { store_name: store } = row;
  const language = chosen ?? row.language;
  const { movedSubject, movedText } = words[language];
  const text = movedText(store);
  await sendLinkMail({ email, subject: movedSubject(store), text, store, language }, services);
}
