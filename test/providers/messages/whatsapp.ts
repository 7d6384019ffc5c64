import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import type { TestReceipts, TestSender } from './sender.ts';
import { SenderServer } from './server.ts';

const token = 'EAAG-system-user-token';
const phoneId = '106540352242922';
const appSecret = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const verifyToken = 'meatyhamhock';

/** HTTP statuses of its error codes, except 400. */
const statuses: Readonly<Record<number, number>> = {
  190: 401,
  130_429: 429,
  131_000: 500,
  131_016: 500,
  131_031: 403,
  132_001: 404,
};

const refused = (code: number, subcode?: number): Answered => ({
  status: statuses[code] ?? 400,
  body: {
    error: {
      message: `(#${code}) ...`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details: '...' },
      ...(subcode !== undefined && { error_subcode: subcode }),
      fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
    },
  },
});

const Parameter = z.strictObject({ type: z.literal('text'), text: z.string() });

const Common = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').optional(),
  to: z.string().regex(/^\+?\d{7,15}$/),
  biz_opaque_callback_data: z.string().max(512).optional(),
});

const Message = z.discriminatedUnion('type', [
  Common.extend({
    type: z.literal('text'),
    text: z.strictObject({
      preview_url: z.boolean().optional(),
      body: z.string().min(1).max(4096),
    }),
  }),
  Common.extend({
    type: z.literal('template'),
    template: z.strictObject({
      name: z.string(),
      language: z.strictObject({ code: z.string() }),
      components: z
        .array(z.strictObject({ type: z.literal('body'), parameters: z.array(Parameter).min(1) }))
        .optional(),
    }),
  }),
]);

type Template = Extract<z.output<typeof Message>, { type: 'template' }>['template'];

const told = { delivered: 'delivered', read: 'read', failed: 'failed' } as const;

/**
 * WhatsApp's Cloud API with one number, from developers.facebook.com/documentation/business-messaging/whatsapp:
 * messages, error codes, webhooks.
 */
export class WhatsAppServer extends SenderServer implements TestSender {
  readonly id = 'whatsapp';
  readonly medium = 'whatsapp';
  readonly knowsKeys = false;
  /** True if everybody has written to the store in the last 24 hours; otherwise only templates are sent. */
  isWindowOpen = true;
  /** Approved templates as `name/language`, with their texts. */
  readonly templates = new Map([['order_placed/en', 'Hello {{1}}, your order is {{2}}.']]);
  /** The error code of planned failures. */
  failure = 131_026;
  /** Data that the store gets back with the statuses of a message, by its id. */
  readonly #opaque = new Map<string, string>();
  #waiting: string[] = [];

  get variables() {
    return {
      WHATSAPP_TOKEN: token,
      WHATSAPP_PHONE_ID: phoneId,
      WHATSAPP_APP_SECRET: appSecret,
      WHATSAPP_VERIFY_TOKEN: verifyToken,
      WHATSAPP_API_URL: this.origin,
    };
  }

  /** The query by which it verifies the store's callback address. */
  readonly question = {
    'hub.mode': 'subscribe',
    'hub.challenge': '1158201444',
    'hub.verify_token': verifyToken,
  };

  readonly receipts: TestReceipts = {
    states: ['delivered', 'read', 'failed'],
    holdAnswers: this.holdAnswers,
    tell: (id, state) => {
      const status = Object.values(told).find((each) => each === state);
      if (!status) throw new Error(`WhatsApp tells of nothing like ${state}.`);
      this.tellStatus(id, status);
    },
    take: (url) => {
      const waiting = this.#waiting;
      this.#waiting = [];
      return waiting.map((body) => posted(url, body, `sha256=${signature(body)}`));
    },
    forgeries: async (url, id) => {
      const body = this.#notification(id, 'failed');
      return [
        posted(url, body),
        posted(url, body, ''),
        posted(url, body, 'sha256='),
        posted(url, body, signature(body)),
        posted(url, body, `sha256=${signature(body, 'guessed')}`),
        posted(url, `${body} `, `sha256=${signature(body)}`),
      ];
    },
  };

  tellStatus(id: string, status: string): void {
    this.#waiting.push(this.#notification(id, status));
  }

  tellMessage(text: string): void {
    const message = { from: '16505551234', id: 'wamid.HBgL', type: 'text', text: { body: text } };
    this.#waiting.push(this.#changes({ messages: [message] }));
  }

  #notification(id: string, status: string): string {
    const message = this.arrived.find((each) => each.id === id);
    if (!message) throw new Error(`WhatsApp sent no message ${id}.`);
    const errors = [{ code: this.failure, title: '...', error_data: { details: '...' } }];
    const timestamp = String(Math.floor(this.now().getTime() / 1000));
    const opaque = this.#opaque.get(id);
    const told = {
      id,
      status,
      timestamp,
      recipient_id: message.to,
      ...(opaque !== undefined && { biz_opaque_callback_data: opaque }),
      ...(status === 'failed' && { errors }),
    };
    return this.#changes({ statuses: [told] });
  }

  #changes(value: object): string {
    const metadata = { display_phone_number: '15550783881', phone_number_id: phoneId };
    return JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '102290129340398',
          changes: [
            { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } },
          ],
        },
      ],
    });
  }

  protected answer({ method, path, headers, body }: Asked): Answered {
    const [, version = '', id = '', edge = ''] = path.split('/');
    if (headers['authorization'] !== `Bearer ${token}`) return refused(190);
    const isMessages = method === 'POST' && edge === 'messages' && /^v\d+\.0$/.test(version);
    if (!isMessages || id !== phoneId) return refused(100, 33);
    if (headers['content-type'] !== 'application/json') return refused(100);
    const message = Message.safeParse(JSON.parse(body));
    if (!message.success) return refused(100);
    const { to, biz_opaque_callback_data: opaque } = message.data;
    const answer =
      message.data.type === 'text'
        ? this.#sendText(to, message.data.text.body)
        : this.#sendTemplate(to, message.data.template);
    const taken = answer.status === 200 ? this.arrived.at(-1) : undefined;
    if (taken && opaque !== undefined) this.#opaque.set(taken.id, opaque);
    return answer;
  }

  #sendText(to: string, text: string): Answered {
    return this.isWindowOpen ? this.#taken(to, text) : refused(131_047);
  }

  #sendTemplate(to: string, { name, language, components = [] }: Template): Answered {
    const text = this.templates.get(`${name}/${language.code}`);
    if (text === undefined) return refused(132_001);
    const values = components.flatMap(({ parameters }) => parameters.map((each) => each.text));
    const wanted = new Set(text.match(/\{\{\d+\}\}/g)).size;
    if (values.length !== wanted) return refused(132_000);
    if (!values.every((value) => /^(?!.*( {5}|[\n\t])).+$/s.test(value))) return refused(132_012);
    const filled = text.replaceAll(/\{\{(\d+)\}\}/g, (_, n: string) => values[Number(n) - 1] ?? '');
    return this.#taken(to, filled);
  }

  #taken(input: string, text: string): Answered {
    const to = input.replace('+', '');
    const id = `wamid.${crypto.randomUUID()}`;
    this.arrived.push({ id, to, subject: null, text, html: null });
    return {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input, wa_id: to }],
        messages: [{ id, message_status: 'accepted' }],
      },
    };
  }

  protected refused(kind: 'permanent' | 'temporary' | 'setup'): Answered {
    return refused({ permanent: 131_026, temporary: 130_429, setup: 190 }[kind]);
  }

  protected broken(status: number) {
    return refused(status === 500 ? 131_000 : 131_016).body;
  }
}

const signature = (text: string, key = appSecret) =>
  createHmac('sha256', key).update(text).digest('hex');

const posted = (url: string, body: string, proof?: string) =>
  new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      ...(proof !== undefined && { 'x-hub-signature-256': proof }),
    },
    body,
  });
