import type { Config } from '../../config.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { dialledNumber } from '../../lib/phone.ts';
import { hashesOfCode, newCode } from '../../actions/account/codes.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { countCodes, insertConfirmation, insertSignIn } from '../../queries/account-codes.ts';
import { findSettings } from '../../queries/settings.ts';
import type { Language } from '../../schema/lists.ts';

type Words = Readonly<Record<Language, { codeMessage: (store: string, code: string) => string }>>;

/** Meta's own API can't send codes: it accepts only approved texts to people who did not write first. */
export function sendsCodes(config: Config): boolean {
  const { whatsapp } = sendersOf(config);
  return whatsapp !== undefined && whatsapp.id !== 'whatsapp';
}

interface Confirmation {
  readonly user_id: number;
  /** The lookup part of the session's secret. */
  readonly prefix: string;
}

/** Sends a code, to confirm a member's number or to sign in the member who confirmed it. */
export async function sendCode(
  typed: string,
  member: Confirmation | undefined,
  words: Words,
  { config, connection, authority, clock, outbound }: Services,
): Promise<void> {
  const { whatsapp } = sendersOf(config);
  if (!whatsapp || !sendsCodes(config)) return;
  const now = clock.now();
  const unit = new UnitOfWork(connection, undefined);
  const { settings } = await unit.query({ settings: findSettings() });
  const phone = dialledNumber(typed, settings[0]?.country ?? '');
  if (phone === '') return;
  const { id, code } = newCode();
  const [hash = ''] = await hashesOfCode(member?.prefix ?? id, code, authority);
  const kept = { id, hash, phone, now };
  const [found] = await unit.write(
    [countCodes],
    member ? insertConfirmation(kept, member.user_id, typed) : insertSignIn(kept),
  );
  if (!found) return;
  const { store_name, language } = found;
  await whatsapp.send(
    {
      key: crypto.randomUUID(),
      ...{ message_id: 0, kind: 'sign-in-code', medium: 'whatsapp', recipient: phone },
      ...{ reminder_id: null, order_id: null, user_id: null },
      content: {
        ...{
          subject: '',
          text: words[language].codeMessage(store_name, code),
          html: null,
          language,
        },
        ...{ from_name: store_name, approved: null, unsubscribe_url: null },
      },
    },
    outbound,
    now,
  );
}
