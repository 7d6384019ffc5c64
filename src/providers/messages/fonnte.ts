import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { ProviderAnswer } from '../http.ts';
import { digitsOf } from './recipients.ts';
import { isSuccess, post, refusal } from './posting.ts';
import type { Sender, SendErrorKind } from './sender.ts';

/** WhatsApp blocks personal numbers that send as fast as machines. */
const usualRate = 0.5;

/** Sends WhatsApp messages through Fonnte, from the seller's number; undefined if it isn't configured. */
export function fonnte(config: Config): Sender | undefined {
  const { FONNTE_TOKEN: token } = config;
  if (token === undefined) return undefined;
  const origin = config.FONNTE_API_URL ?? 'https://api.fonnte.com';
  return {
    id: 'fonnte',
    rate: config.WHATSAPP_RATE ?? usualRate,
    replays: 0,
    async send({ recipient, content }, http, now) {
      const answer = await post(http, {
        url: `${origin}/send`,
        headers: {
          authorization: token,
          'content-type': 'application/x-www-form-urlencoded',
        },
        // 0 keeps the number unchanged: a country code would replace a 0 at its start.
        body: new URLSearchParams({
          target: digitsOf(recipient),
          message: content.text,
          countryCode: '0',
        }).toString(),
      });
      return takenAs(answer, now);
    },
  };
}

const Id = z.union([z.string(), z.number()]).transform(String);

/** Refusals have the status 200 too, and some spell the field `Status`. */
const Answer = z.object({
  status: z.boolean().optional(),
  Status: z.boolean().optional(),
  reason: z.string().optional().catch(undefined),
  id: z.array(Id).optional().catch(undefined),
});

/**
 * @returns the id of an accepted message
 * @throws SendError
 */
function takenAs(answer: ProviderAnswer, now: Date): string | null {
  const said = Answer.safeParse(answer.json).data;
  const isTaken = said?.status ?? said?.Status;
  if (isSuccess(answer) && isTaken === true) return said?.id?.[0] ?? null;
  if (isTaken !== false) {
    throw refusal(answer, now, isSuccess(answer) ? { code: 'unreadable_answer' } : {});
  }
  const reason = said?.reason ?? '';
  throw refusal(answer, now, { kind: kindOf(reason), code: codeOf(reason) });
}

/**
 * Kinds of its reasons (docs.fonnte.com/api-send-message), in this order: `request invalid on disconnected device` is
 * about the device. A reason that matches none is temporary.
 */
const kinds: readonly (readonly [RegExp, SendErrorKind])[] = [
  [/token|unknown user|device|quota|package|expired/i, 'setup'],
  [/invalid|target|input|json|url|file/i, 'permanent'],
];

const kindOf = (reason: string): SendErrorKind =>
  kinds.find(([pattern]) => pattern.test(reason))?.[1] ?? 'temporary';

/** Makes a code of a reason, without phone numbers. */
const codeOf = (reason: string) => reason.replaceAll(/\d{5,}/g, '').trim() || 'refused';
