import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import type { TestReceipts, TestSender } from './sender.ts';
import { SenderServer } from './server.ts';

const apiKey = 're_123456789';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const domain = 'shop.example';

const day = 86_400_000;

interface Taken {
  readonly body: string;
  readonly answer: Answered;
  readonly at: Date;
}

const refused = (statusCode: number, name: string, message: string): Answered => ({
  status: statusCode,
  body: { statusCode, name, message },
});

/** A part of valid-looking addresses that it refuses. */
export const refusedDomain = 'refused.example';

const address = /^[^\s<>@",;]+@[^\s<>@",;]+\.[^\s<>@",;]+$/;

/** A name by RFC 5322: atoms with blanks between them, or one quoted string. */
const phrase =
  /^(?:"(?:[^"\\\p{Cc}]|\\.)+"|[^\p{Cc}\s()<>[\]:;@\\,."]+(?: [^\p{Cc}\s()<>[\]:;@\\,."]+)*)$/u;

/** The address in `Name <address>`, or an address alone; undefined for other texts. */
function mailboxOf(text: string): string | undefined {
  if (address.test(text)) return text;
  const [, name = '', found = ''] = /^(.*) <([^<>]*)>$/s.exec(text) ?? [];
  return phrase.test(name) && address.test(found) ? found : undefined;
}

const line = z.string().regex(/^[^\r\n]*$/);

const word = z.string().regex(/^[\w-]{1,256}$/);

const Email = z.strictObject({
  from: line,
  to: z.array(line.regex(address)).min(1).max(50),
  subject: line.min(1),
  text: z.string().optional(),
  html: z.string().optional(),
  reply_to: line.refine((text) => mailboxOf(text) !== undefined).optional(),
  headers: z.record(z.string().regex(/^[A-Za-z-]+$/), line).optional(),
  tags: z
    .array(z.strictObject({ name: word, value: word }))
    .max(75)
    .optional(),
});

/** The outcomes of an e-mail as events: resend/resend-openapi, `webhooks`. */
const events = {
  delivered: { type: 'email.delivered' },
  read: { type: 'email.opened' },
  complained: { type: 'email.complained' },
  bounced: {
    type: 'email.bounced',
    bounce: {
      type: 'Permanent',
      subType: 'NoEmail',
      message: "The recipient's email address does not exist.",
      diagnosticCode: ['smtp; 550 5.1.1 user unknown'],
    },
  },
  failed: { type: 'email.failed', failed: { reason: 'reached_daily_quota' } },
};

/**
 * Resend with one team that verified one domain: resend/resend-openapi (resend.yaml), and
 * resend.com/docs/api-reference/errors, /rate-limit, /emails/send-batch-emails and /dashboard/emails/idempotency-keys and /batch-validation-modes.
 */
export class ResendServer extends SenderServer implements TestSender {
  readonly id = 'resend';
  readonly medium = 'email';
  readonly knowsKeys = true;
  perSecond = Number.POSITIVE_INFINITY;
  /** True during a rotation of the webhook's secret: callbacks are also signed with the next one. */
  rolling = false;
  readonly #taken = new Map<string, Taken>();
  readonly #running = new Set<string>();
  readonly #tags = new Map<string, Readonly<Record<string, string>>>();
  readonly #asked: number[] = [];
  #waiting: { readonly body: string; readonly at: Date }[] = [];

  get variables() {
    return {
      MAIL_FROM: `hello@${domain}`,
      RESEND_API_KEY: apiKey,
      RESEND_WEBHOOK_SECRET: secret,
      RESEND_API_URL: this.origin,
    };
  }

  readonly receipts: TestReceipts = {
    states: ['delivered', 'read', 'bounced', 'complained', 'failed'],
    holdAnswers: this.holdAnswers,
    tell: (id, state) => this.tellEvent(id, events[state]),
    take: (url) => {
      const waiting = this.#waiting;
      this.#waiting = [];
      return waiting.map(({ body, at }) => posted(url, body, this.#signed(body, at)));
    },
    forgeries: async (url, id) => {
      const body = this.#event(id, events.bounced);
      const real = this.#signed(body, this.now());
      const old = this.#signed(body, new Date(this.now().getTime() - 301_000));
      const early = this.#signed(body, new Date(this.now().getTime() + 301_000));
      const other = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
      const guessed = { ...real, 'svix-signature': other.sign('msg_1', this.now(), body) };
      return [
        posted(url, body, {}),
        posted(url, `${body} `, real),
        posted(url, body, { ...real, 'svix-id': 'msg_2' }),
        posted(url, body, { ...real, 'svix-signature': '' }),
        posted(url, body, { ...real, 'svix-timestamp': '' }),
        posted(url, body, { ...real, 'svix-timestamp': `${real['svix-timestamp']}.0` }),
        posted(url, body, guessed),
        posted(url, body, old),
        posted(url, body, early),
      ];
    },
  };

  /** Reports an unusual outcome of an e-mail. */
  tellEvent(
    id: string,
    event: { readonly type: string; readonly [detail: string]: unknown },
  ): void {
    this.#waiting.push({ body: this.#event(id, event), at: this.now() });
  }

  #event(id: string, { type, ...detail }: { readonly type: string }): string {
    const email = this.arrived.find((each) => each.id === id);
    if (!email) throw new Error(`Resend sent no e-mail ${id}.`);
    const created_at = this.now().toISOString();
    const { to, subject } = email;
    const from = `hello@${domain}`;
    // Sent as a list, and returned as an object.
    const tags = this.#tags.get(id);
    return JSON.stringify({
      type,
      created_at,
      data: { created_at, email_id: id, from, to: [to], subject, ...(tags && { tags }), ...detail },
    });
  }

  #signed(body: string, at: Date): Record<string, string> {
    const secrets = this.rolling
      ? ['whsec_bmV4dCBzZWNyZXQgb2YgdGhlIHdlYmhvb2s=', secret]
      : [secret];
    const signatures = secrets.map((each) => new Webhook(each).sign('msg_1', at, body));
    return {
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
      'svix-signature': signatures.join(' '),
    };
  }

  protected answer({ method, path, headers, body }: Asked): Answered | Promise<Answered> {
    if (path !== '/emails' && path !== '/emails/batch')
      return refused(404, 'not_found', 'The requested endpoint does not exist.');
    if (method !== 'POST') return refused(405, 'method_not_allowed', 'Method is not allowed.');
    const { authorization = '', 'content-type': type = '' } = headers;
    if (authorization === '') return refused(401, 'missing_api_key', 'Missing API key.');
    if (authorization !== `Bearer ${apiKey}`) {
      return refused(403, 'invalid_api_key', 'API key is invalid.');
    }
    if (!this.#isInTime()) {
      const limited = refused(429, 'rate_limit_exceeded', 'Too many requests.');
      return { ...limited, headers: { 'retry-after': '1' } };
    }
    if (!type.startsWith('application/json')) {
      return refused(422, 'validation_error', 'The request body is not JSON.');
    }
    return this.#once(headers['idempotency-key'], body, path === '/emails/batch');
  }

  #isInTime(): boolean {
    const at = this.now().getTime();
    this.#asked.push(at);
    return this.#asked.filter((each) => at - each < 1000).length <= this.perSecond;
  }

  /** Only keys of sent e-mails are remembered: a refused e-mail may be sent in another form. */
  #once(key: string | undefined, body: string, isBatch: boolean): Answered {
    const send = () => (isBatch ? this.#sendAll(JSON.parse(body)) : this.#send(JSON.parse(body)));
    if (key === undefined) return send();
    if (key === '' || key.length > 256) {
      return refused(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
    }
    if (this.#running.has(key)) {
      return refused(409, 'concurrent_idempotent_requests', 'It is being processed.');
    }
    const known = this.#taken.get(key);
    if (known && this.now().getTime() - known.at.getTime() < day) {
      return known.body === body
        ? known.answer
        : refused(409, 'invalid_idempotent_request', 'Same key, and another request payload.');
    }
    const answer = send();
    if (answer.status === 200) this.#taken.set(key, { body, answer, at: this.now() });
    return answer;
  }

  setRunning(key: string, isRunning: boolean): void {
    if (isRunning) this.#running.add(key);
    else this.#running.delete(key);
  }

  /** Strict mode: all e-mails are sent, or none; the first invalid one decides the refusal. */
  #sendAll(emails: unknown): Answered {
    if (!Array.isArray(emails) || emails.length < 1 || emails.length > 100) {
      return refused(422, 'validation_error', 'The array has to have 1 to 100 e-mails.');
    }
    const wrong = emails.map((email) => this.#check(email)).find((answer) => 'status' in answer);
    if (wrong && 'status' in wrong) return wrong;
    return { status: 200, body: { data: emails.map((email) => this.#send(email).body) } };
  }

  #send(given: unknown): Answered {
    const email = this.#check(given);
    if ('status' in email) return email;
    const { to, subject, text, html, tags } = email;
    const id = crypto.randomUUID();
    if (tags) this.#tags.set(id, Object.fromEntries(tags.map((tag) => [tag.name, tag.value])));
    for (const each of to) {
      this.arrived.push({ id, to: each, subject, text: text ?? '', html: html ?? null });
    }
    return { status: 200, body: { id } };
  }

  /** The requested e-mail, or its refusal. */
  #check(given: unknown): z.output<typeof Email> | Answered {
    const email = Email.safeParse(given);
    if (!email.success) return refused(422, 'validation_error', email.error.message);
    const { from, text, html } = email.data;
    const sender = mailboxOf(from);
    if (sender === undefined) return refused(422, 'invalid_from_address', 'Invalid `from` field.');
    if (!sender.endsWith(`@${domain}`)) {
      return refused(
        403,
        'validation_error',
        `The ${sender.split('@')[1]} domain is not verified.`,
      );
    }
    if (email.data.to.some((to) => to.endsWith(`@${refusedDomain}`))) {
      return refused(422, 'validation_error', 'Invalid `to` field.');
    }
    if (text === undefined && html === undefined) {
      return refused(422, 'missing_required_field', 'Missing `html` or `text` field.');
    }
    return email.data;
  }

  protected refused(kind: 'permanent' | 'temporary' | 'setup'): Answered {
    return {
      permanent: refused(422, 'validation_error', 'Invalid `to` field.'),
      temporary: refused(429, 'rate_limit_exceeded', 'Too many requests.'),
      setup: refused(403, 'validation_error', 'The shop.example domain is not verified.'),
    }[kind];
  }

  protected broken(statusCode: number) {
    return { statusCode, name: 'internal_server_error', message: 'An unexpected error occurred.' };
  }
}

const posted = (url: string, body: string, headers: Record<string, string>) =>
  new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Svix-Webhooks/1.62.0',
      ...headers,
    },
    body,
  });
