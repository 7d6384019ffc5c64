import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { decodeBase64 } from '../../lib/bytes.ts';
import { oneLine } from '../../lib/text.ts';
import { ProviderId } from '../answers.ts';
import { type ProviderAnswer, parsed, plainCode } from '../http.ts';
import { type Mailbox, mailboxText, senderOf, unsubscribeHeaders } from './mail.ts';
import { isSuccess, kindOf, post, refusal } from './posting.ts';
import { addressOf } from './recipients.ts';
import type { OutgoingMessage, Receipt, Sender, SendErrorKind } from './sender.ts';
import { isSvixSigned } from './svix.ts';

interface Settings {
  readonly key: string;
  readonly origin: string;
  readonly from: Mailbox;
  readonly replyTo: Mailbox | undefined;
  readonly rate: number;
  /** Verifies receipts; without it, receipts are ignored. */
  readonly webhookSecret: string | undefined;
}

/** Requests a second that an account may make by default. */
const usualRate = 2;

/** Seconds for which Resend remembers a key: a day. */
const replays = 86_400;

/**
 * Sends e-mails through Resend.
 * @returns undefined if it isn't configured
 * @throws Error naming the missing variables
 */
export function resend(config: Config): Sender | undefined {
  const settings = settingsOf(config);
  return settings && senderWith(settings);
}

function settingsOf(config: Config): Settings | undefined {
  const { RESEND_API_KEY: key, RESEND_WEBHOOK_SECRET: webhookSecret, MAIL_FROM: from } = config;
  if (key === undefined) {
    if (webhookSecret === undefined) return undefined;
    throw new Error(
      'RESEND_API_KEY is missing: set it to an API key of Resend, or remove RESEND_WEBHOOK_SECRET.',
    );
  }
  if (from === undefined) {
    throw new Error(
      'MAIL_FROM is missing: set it to the address that e-mails come from, at a domain verified at Resend.',
    );
  }
  if (webhookSecret !== undefined && !isSecret(webhookSecret)) {
    throw new Error(
      'RESEND_WEBHOOK_SECRET is cut short: copy the signing secret of the webhook at Resend again.',
    );
  }
  return {
    key,
    webhookSecret,
    from,
    origin: config.RESEND_API_URL ?? 'https://api.resend.com',
    replyTo: config.MAIL_REPLY_TO,
    rate: config.MAIL_RATE ?? usualRate,
  };
}

/** Tells if the text after `whsec_` is base64. */
function isSecret(text: string): boolean {
  try {
    return decodeBase64(text.slice('whsec_'.length)).length > 0;
  } catch {
    return false;
  }
}

const Taken = z.object({ id: ProviderId });

const TakenTogether = (most: number) =>
  z.object({ data: z.array(Taken).length(most) }).transform(({ data }) => data);

/** The largest number of e-mails in a call (resend.com/docs/api-reference/emails/send-batch-emails). */
const mostTogether = 100;

function senderWith({ key, origin, from, replyTo, rate, webhookSecret }: Settings): Sender {
  const handOver = (http: Outbound, path: string, idempotencyKey: string, body: unknown) =>
    post(http, {
      url: `${origin}${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
    });
  return {
    id: 'resend',
    rate,
    replays,

    async send(message, http, now) {
      const answer = await handOver(http, '/emails', message.key, emailOf(message, from, replyTo));
      return taken(answer, Taken, now)?.id ?? null;
    },

    batch: {
      most: mostTogether,
      // The strict mode, which is the default: one refused e-mail refuses all.
      async send(messages, batchKey, http, now) {
        const emails = messages.map((message) => emailOf(message, from, replyTo));
        const answer = await handOver(http, '/emails/batch', batchKey, emails);
        const found = taken(answer, TakenTogether(emails.length), now);
        return messages.map((_, i) => found?.[i]?.id ?? null);
      },
    },

    ...(webhookSecret !== undefined && {
      async receipts(callback, now) {
        const isTheirs = await isSvixSigned(callback, webhookSecret, now);
        return isTheirs ? receiptsOf(parsed(callback.text)) : 'forged';
      },
    }),
  } satisfies Sender;
}

function emailOf(
  { key, recipient, content }: OutgoingMessage,
  from: Mailbox,
  replyTo: Mailbox | undefined,
) {
  const headers = unsubscribeHeaders(content);
  return {
    from: mailboxText(senderOf(from, content)),
    to: [addressOf(recipient)],
    subject: oneLine(content.subject),
    text: content.text,
    ...(content.html !== null && { html: content.html }),
    ...(replyTo && { reply_to: mailboxText(replyTo) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    // Resend returns this tag with receipts.
    tags: [{ name: 'message_key', value: key }],
  };
}

const Refusal = z.object({ name: z.string() });

/** Kinds of errors that the status doesn't tell (resend.com/docs/api-reference/errors). */
const kinds: ReadonlyMap<string, SendErrorKind> = new Map([
  // 429, like too many requests, but it takes another plan, or another day or month.
  ['daily_quota_exceeded', 'setup'],
  ['monthly_quota_exceeded', 'setup'],
  // 422, like an error in one e-mail.
  ['invalid_from_address', 'setup'],
]);

/**
 * @returns the answer; null if it only says that the e-mails were accepted before
 * @throws SendError
 */
function taken<T>(answer: ProviderAnswer, shape: z.ZodType<T>, now: Date): T | null {
  if (isSuccess(answer)) {
    const found = shape.safeParse(answer.json);
    if (found.success) return found.data;
    throw refusal(answer, now, { code: 'unreadable_answer' });
  }
  const code = Refusal.safeParse(answer.json).data?.name ?? String(answer.status);
  // The key was used with another body, before a change of MAIL_FROM or the like. That e-mail was sent, and a new key
  // would send it again. In a batch, a message may have been cancelled since.
  if (code === 'invalid_idempotent_request') return null;
  throw refusal(answer, now, { code, kind: kinds.get(code) ?? kindOf(answer.status) });
}

const Word = z.string().optional().catch(undefined);

const Event = z.object({
  type: z.string(),
  data: z.object({
    email_id: ProviderId,
    tags: z.object({ message_key: z.uuid() }).optional().catch(undefined),
    bounce: z.object({ type: Word, subType: Word }).optional().catch(undefined),
    failed: z.object({ reason: Word }).optional().catch(undefined),
    suppressed: z.object({ reason: Word }).optional().catch(undefined),
  }),
});

type Event = z.output<typeof Event>;

function receiptsOf(json: unknown): readonly Receipt[] {
  const event = Event.safeParse(json).data;
  if (!event) return [];
  const [state, reason] = outcomeOf(event) ?? [];
  if (state === undefined) return [];
  const { email_id, tags } = event.data;
  const key = tags?.message_key ?? null;
  return [{ provider_id: email_id, key, state, reason: reason ? plainCode(reason) : null }];
}

type Outcome = readonly [state: Receipt['state'], reason?: string | undefined];

function outcomeOf({ type, data: { bounce, failed, suppressed } }: Event): Outcome | undefined {
  switch (type) {
    case 'email.delivered':
      return ['delivered'];
    case 'email.opened':
    case 'email.clicked':
      return ['read'];
    case 'email.complained':
      return ['complained'];
    case 'email.failed':
      return ['failed', failed?.reason];
    case 'email.bounced': {
      // A full mailbox, for example, may accept the next one.
      const isLasting = bounce?.type === 'Permanent';
      return [isLasting ? 'bounced' : 'failed', bounce?.subType ?? bounce?.type];
    }
    case 'email.suppressed': {
      // The address is on Resend's own suppression list.
      const wasSpam = suppressed?.reason === 'previous_complaint';
      return [wasSpam ? 'complained' : 'bounced', suppressed?.reason];
    }
    default:
      return undefined;
  }
}
