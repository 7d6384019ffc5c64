import type { EmailBinding } from '../../../src/config.ts';
import type { Arrived, TestSender } from './sender.ts';
import { Script } from './server.ts';

type Email = Parameters<EmailBinding['send']>[0];

const domain = 'shop.example';

/** An error of the platform, which contains the address. */
const refusal = (code: string, { to }: Email) =>
  Object.assign(new Error(`${code}: the e-mail to ${to} was not sent.`), { code });

const codes = {
  permanent: 'E_RECIPIENT_SUPPRESSED',
  temporary: 'E_RATE_LIMIT_EXCEEDED',
  setup: 'E_SENDER_NOT_VERIFIED',
};

/**
 * Cloudflare's Email Service with one domain, as a worker's binding: developers.cloudflare.com/email-service, api/send-
 * emails/workers-api and reference/headers.
 */
export class CloudflareEmail implements TestSender {
  readonly id = 'cloudflare';
  readonly medium = 'email';
  readonly knowsKeys = false;
  readonly journal: Email[] = [];
  readonly #script = new Script();
  readonly #arrived: Arrived[] = [];

  readonly binding: EmailBinding = { send: (email) => this.#meet(email) };

  get variables() {
    return { MAIL_FROM: `hello@${domain}`, EMAIL: this.binding };
  }

  open = async () => {};
  close = async () => {};
  fail: TestSender['fail'] = (fault) => this.#script.fail(fault);
  refuse: TestSender['refuse'] = (kind) => this.#script.refuse(kind);
  hold = () => this.#script.hold();
  sent = (): readonly Arrived[] => this.#arrived;

  throw = (code: string) => this.#codes.push(code);
  readonly #codes: string[] = [];

  async #meet(email: Email): Promise<{ messageId: string }> {
    this.journal.push(email);
    const code = this.#codes.shift();
    const order = await this.#script.next();
    if (code !== undefined) throw refusal(code, email);
    switch (order) {
      case undefined:
        return this.#send(email);
      case 'lost':
        this.#send(email);
        throw new Error('Network connection lost.');
      case 'dropped':
        throw new Error('Network connection lost.');
      case 'refused':
        throw refusal('E_INTERNAL_SERVER_ERROR', email);
      case 'overloaded':
        throw refusal('E_RATE_LIMIT_EXCEEDED', email);
      case 'lying':
        return { messageId: '' };
      default:
        throw refusal(codes[order.kind], email);
    }
  }

  #send(email: Email): { messageId: string } {
    const { from, to, replyTo, subject, text, html, headers = {} } = email;
    if (!from.email.endsWith(`@${domain}`)) throw refusal('E_SENDER_DOMAIN_NOT_AVAILABLE', email);
    const addresses = [from.email, to, replyTo ?? to];
    const lines = [from.name, subject, ...addresses, ...Object.values(headers)];
    const isValid =
      addresses.every((each) => /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(each)) &&
      lines.every((each) => /^[^\r\n]+$/.test(each)) &&
      subject.length <= 998;
    if (!isValid) throw refusal('E_VALIDATION_ERROR', email);
    const { 'List-Unsubscribe': url, 'List-Unsubscribe-Post': post, ...others } = headers;
    if (Object.keys(others).length > 0) throw refusal('E_HEADER_NOT_ALLOWED', email);
    if (url !== undefined && !/^<https:[^<>\s]+>$/.test(url)) {
      throw refusal('E_HEADER_VALUE_INVALID', email);
    }
    if (post !== undefined && (url === undefined || post !== 'List-Unsubscribe=One-Click')) {
      throw refusal('E_HEADER_VALUE_INVALID', email);
    }
    const id = crypto.randomUUID();
    this.#arrived.push({ id, to, subject, text, html: html ?? null });
    return { messageId: id };
  }
}
