import * as z from 'zod';
import type { Config } from '../../config.ts';
import { oneLine } from '../../lib/text.ts';
import { ProviderId } from '../answers.ts';
import { type ProviderAnswer, parsed } from '../http.ts';
import { hmacSha256, isSameSecret } from '../signatures.ts';
import { digitsOf } from './recipients.ts';
import { isSuccess, kindOf, post, refusal } from './posting.ts';
import type { OutgoingMessage, Receipt, Sender, SendErrorKind } from './sender.ts';

interface Settings {
  readonly token: string;
  readonly phoneId: string;
  readonly origin: string;
  readonly rate: number;
  /** Verifies receipts; without it, receipts are ignored. */
  readonly appSecret: string | undefined;
  readonly verifyToken: string | undefined;
}

/** The version of the Graph API: Meta keeps each for two years. */
const version = 'v25.0';

/** A quarter of the rate that Meta allows a number. */
const usualRate = 20;

/**
 * Sends WhatsApp messages through Meta's Cloud API.
 * @returns undefined if it isn't configured
 * @throws Error naming the missing variables
 */
export function whatsapp(config: Config): Sender | undefined {
  const settings = settingsOf(config);
  return settings && senderWith(settings);
}

function settingsOf(config: Config): Settings | undefined {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId } = config;
  const { WHATSAPP_APP_SECRET: appSecret, WHATSAPP_VERIFY_TOKEN: verifyToken } = config;
  if ([token, phoneId, appSecret, verifyToken].every((value) => value === undefined)) {
    return undefined;
  }
  if (token === undefined || phoneId === undefined) {
    throw new Error(
      'WhatsApp needs both WHATSAPP_TOKEN and WHATSAPP_PHONE_ID. Set both, or remove them together with WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN.',
    );
  }
  return {
    token,
    phoneId,
    appSecret,
    verifyToken,
    origin: config.WHATSAPP_API_URL ?? 'https://graph.facebook.com',
    rate: config.WHATSAPP_RATE ?? usualRate,
  };
}

function senderWith({ token, phoneId, origin, rate, appSecret, verifyToken }: Settings): Sender {
  return {
    id: 'whatsapp',
    rate,
    replays: 0,

    async send(message, http, now) {
      const answer = await post(http, {
        url: `${origin}/${version}/${phoneId}/messages`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(message)),
      });
      return takenAs(answer, now);
    },

    ...(appSecret !== undefined && {
      async receipts(callback) {
        const signature = `sha256=${await hmacSha256(appSecret, callback.text)}`;
        const given = callback.header('x-hub-signature-256') ?? '';
        return isSameSecret(given, signature) ? receiptsOf(parsed(callback.text)) : 'forged';
      },
    }),

    ...(verifyToken !== undefined && {
      challenge(query) {
        const isTheirs =
          query['hub.mode'] === 'subscribe' &&
          isSameSecret(query['hub.verify_token'] ?? '', verifyToken);
        // Digits only: nothing that a browser would show as a page.
        const { 'hub.challenge': asked = '' } = query;
        return isTheirs && /^\d{1,64}$/.test(asked) ? asked : undefined;
      },
    }),
  } satisfies Sender;
}

const bodyOf = ({ key, recipient, content }: OutgoingMessage) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: digitsOf(recipient),
  // Meta returns this text with receipts.
  biz_opaque_callback_data: key,
  ...(content.approved
    ? { type: 'template', template: templateOf(content.approved, content.language) }
    : { type: 'text', text: { preview_url: false, body: content.text } }),
});

const templateOf = (
  { name, values }: NonNullable<OutgoingMessage['content']['approved']>,
  language: string,
) => ({
  name,
  language: { code: language },
  ...(values.length > 0 && {
    components: [
      { type: 'body', parameters: values.map((value) => ({ type: 'text', text: valueOf(value) })) },
    ],
  }),
});

/** A variable's value: Meta refuses empty ones, line breaks, tabs and more than four blanks in a row. */
const valueOf = (value: string) => oneLine(value) || '-';

const Taken = z.object({ messages: z.tuple([z.object({ id: ProviderId })], z.unknown()) });

const Refusal = z.object({
  error: z.object({ code: z.int(), error_subcode: z.int().optional().catch(undefined) }),
});

/**
 * @returns the id of an accepted message
 * @throws SendError
 */
function takenAs(answer: ProviderAnswer, now: Date): string | null {
  if (isSuccess(answer)) {
    const taken = Taken.safeParse(answer.json);
    if (taken.success) return taken.data.messages[0].id;
    throw refusal(answer, now, { code: 'unreadable_answer' });
  }
  const error = Refusal.safeParse(answer.json).data?.error;
  if (!error) throw refusal(answer, now);
  const { code, error_subcode } = error;
  // Meta also reports a number's id that the token can't access as a wrong parameter.
  const isNumber = code === 100 && error_subcode === 33;
  const kind = isNumber ? 'setup' : kindOfCode(code, answer.status);
  throw refusal(answer, now, { kind, code: String(code) });
}

/**
 * Error codes (developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes): faults of the
 * access token, the number or the account, and temporary ones. Other codes from 131000 on concern one message.
 */
const setupCodes = [0, 3, 10, 33, 190, 368, 131_005, 131_031, 131_037, 131_042, 131_045];
const passingCodes = [
  1, 2, 4, 80_007, 130_429, 131_000, 131_016, 131_048, 131_056, 131_057, 133_004,
];

function kindOfCode(code: number, status: number): SendErrorKind {
  if (passingCodes.includes(code)) return 'temporary';
  const isPermission = code >= 200 && code <= 299;
  const isRegistration = code >= 133_000 && code <= 133_999;
  if (isPermission || isRegistration || setupCodes.includes(code)) return 'setup';
  return code === 100 || code >= 130_000 ? 'permanent' : kindOf(status);
}

const Status = z.object({
  id: ProviderId,
  status: z.enum(['delivered', 'read', 'failed']),
  biz_opaque_callback_data: z.uuid().nullable().catch(null),
  errors: z
    .tuple([z.object({ code: z.int() })], z.unknown())
    .optional()
    .catch(undefined),
});

/** Lists within a notification: an unreadable member hides none of the others. */
const Listed = z.array(z.unknown()).catch([]);
const Notification = z.object({ entry: Listed });
const Entry = z.object({ changes: Listed });
const Change = z.object({ value: z.object({ statuses: Listed }) });

const read = <T>(schema: z.ZodType<T>, members: readonly unknown[]): T[] =>
  members.flatMap((member) => schema.safeParse(member).data ?? []);

/** Reads the receipts of a notification; it skips other kinds and other statuses. */
function receiptsOf(json: unknown): readonly Receipt[] {
  const entries = read(Notification, [json]).flatMap(({ entry }) => read(Entry, entry));
  const changes = entries.flatMap((entry) => read(Change, entry.changes));
  const statuses = changes.flatMap(({ value }) => read(Status, value.statuses));
  return statuses.map((found) => {
    const { id, status, biz_opaque_callback_data: key, errors } = found;
    const reason = errors ? String(errors[0].code) : null;
    return { provider_id: id, key, state: status, reason };
  });
}
