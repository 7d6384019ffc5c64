import * as z from 'zod';
import type { Config, EmailBinding } from '../../config.ts';
import { oneLine } from '../../lib/text.ts';
import { ProviderId } from '../answers.ts';
import { patience } from '../http.ts';
import { type Mailbox, senderOf, unsubscribeHeaders } from './mail.ts';
import { addressOf } from './recipients.ts';
import { SendError, type OutgoingMessage, type Sender, type SendErrorKind } from './sender.ts';

/** E-mails a second; the documents give no number. */
const usualRate = 5;

/**
 * Sends e-mails through Cloudflare's Email Service, by the binding EMAIL.
 * @returns undefined if it isn't bound
 * @throws Error naming the missing variables
 */
export function cloudflare(config: Config): Sender | undefined {
  const { EMAIL: binding, MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = config;
  if (binding === undefined) return undefined;
  if (from === undefined) {
    throw new Error(
      'MAIL_FROM is missing: set it to the address that e-mails come from, at a domain onboarded to Email Service, or remove the binding EMAIL.',
    );
  }
  return {
    id: 'cloudflare',
    rate: config.MAIL_RATE ?? usualRate,
    replays: 0,
    async send(message) {
      const email = emailOf(message, from, replyTo);
      const answer = await handed(async () => binding.send(email));
      return Taken.safeParse(answer).data?.messageId ?? null;
    },
  };
}

const Taken = z.object({ messageId: ProviderId });

type Email = Parameters<EmailBinding['send']>[0];

function emailOf({ recipient, content }: OutgoingMessage, from: Mailbox, replyTo?: Mailbox): Email {
  const { name, address } = senderOf(from, content);
  const headers = unsubscribeHeaders(content);
  return {
    from: { email: address, name: name || address },
    to: addressOf(recipient),
    subject: oneLine(content.subject),
    text: content.text,
    ...(content.html !== null && { html: content.html }),
    ...(replyTo && { replyTo: replyTo.address }),
    // Cloudflare accepts only https addresses, which an API on a developer's machine does not have.
    ...(headers['List-Unsubscribe']?.startsWith('<https:') && { headers }),
  };
}

/** @throws SendError if Cloudflare refuses, or doesn't answer in time */
async function handed<T>(send: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It is late.')), patience);
  });
  try {
    return await Promise.race([send(), late]);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Kinds of its error codes (developers.cloudflare.com/email-service/api/send-emails/workers-api). Other codes that
 * start with E_ concern one e-mail.
 */
const kinds: ReadonlyMap<string, SendErrorKind> = new Map([
  ['E_RATE_LIMIT_EXCEEDED', 'temporary'],
  ['E_DELIVERY_FAILED', 'temporary'],
  // The error may have come after the e-mail was accepted.
  ['E_INTERNAL_SERVER_ERROR', 'unknown'],
  ['E_DAILY_LIMIT_EXCEEDED', 'setup'],
  ['E_SENDER_NOT_VERIFIED', 'setup'],
  ['E_SENDER_DOMAIN_NOT_AVAILABLE', 'setup'],
]);

/** The error's message may contain the address, so it is dropped. */
function refusalOf(error: unknown): SendError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = kinds.get(code) ?? (code.startsWith('E_') ? 'permanent' : 'unknown');
  return new SendError(kind, code || 'no_answer');
}
