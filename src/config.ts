import * as z from 'zod';
import { isEmail } from './lib/email.ts';

/**
 * `<requests>/<seconds>` of the rate limit binding with the same name, which doesn't tell them. `npm run deploy` reads
 * them from wrangler.toml. The limit applies without them, too.
 */
const limit = (name: string) =>
  z
    .string()
    .regex(/^[0-9]+\/[0-9]+$/, `${name} must be <requests>/<seconds>, like 600/60.`)
    .transform((text) => text.split('/').map(Number) as [quota: number, window: number])
    .optional();

/** A retention period, in days. */
const days = (name: string, usual: number) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/, `${name} must be a number of days, like ${usual}.`)
    .default(String(usual))
    .transform(Number);

/**
 * Parses an origin, with or without a trailing slash.
 * @param message the error for anything else
 */
const origin = (message: string) =>
  z
    .url({ protocol: /^https?$/, error: message })
    .transform((text) => new URL(text))
    .refine(({ origin, href }) => href === `${origin}/`, message)
    .transform(({ origin }) => origin);

/** The origin of a provider's API, without its paths. */
const providerOrigin = (name: string) =>
  origin(`${name} must be an origin like https://api.example, without a path.`).optional();

const secret = z.string().min(1).optional();
const mode = (name: string) =>
  z.enum(['sandbox', 'production'], { error: `${name} is sandbox or production.` }).optional();

/** The variables of payment providers: each is on once its own are set. */
const paymentVariables = {
  STRIPE_SECRET_KEY: secret,
  STRIPE_WEBHOOK_SECRET: secret,
  STRIPE_MODE: mode('STRIPE_MODE'),
  STRIPE_API_URL: providerOrigin('STRIPE_API_URL'),
  MIDTRANS_SERVER_KEY: secret,
  MIDTRANS_MODE: mode('MIDTRANS_MODE'),
  MIDTRANS_API_URL: providerOrigin('MIDTRANS_API_URL'),
  MIDTRANS_APP_URL: providerOrigin('MIDTRANS_APP_URL'),
  DUITKU_MERCHANT_CODE: secret,
  DUITKU_API_KEY: secret,
  DUITKU_MODE: mode('DUITKU_MODE'),
  DUITKU_MD5: z.enum(['on', 'off'], { error: 'DUITKU_MD5 is on or off.' }).default('off'),
  DUITKU_API_URL: providerOrigin('DUITKU_API_URL'),
  XENDIT_SECRET_KEY: secret,
  XENDIT_CALLBACK_TOKEN: secret,
  XENDIT_MODE: mode('XENDIT_MODE'),
  XENDIT_API_URL: providerOrigin('XENDIT_API_URL'),
  PAYPAL_CLIENT_ID: secret,
  PAYPAL_SECRET: secret,
  PAYPAL_WEBHOOK_ID: secret,
  PAYPAL_MODE: mode('PAYPAL_MODE'),
  PAYPAL_API_URL: providerOrigin('PAYPAL_API_URL'),
  MOOTA_SECRET_TOKEN: secret,
  MOOTA_TOKEN: secret,
  MOOTA_API_URL: providerOrigin('MOOTA_API_URL'),
};

/** Messages a second, like 2 or 0.5. */
const rate = (name: string) =>
  z
    .string()
    .regex(/^(?=.*[1-9])[0-9]{1,4}(\.[0-9]{1,3})?$/, `${name} is messages a second, like 2 or 0.5.`)
    .transform(Number)
    .optional();

/** An e-mail address, with or without a name before it: `Demo store <hello@demo.example>`. */
const mailbox = (name: string) =>
  z
    .string()
    .transform((text) => {
      const [, title = '', address = text] = /^([^<>"\r\n]*)<(.*)>$/.exec(text) ?? [];
      return { name: title.trim(), address };
    })
    .refine(
      ({ address }) => isEmail(address),
      `${name} is an e-mail address, like hello@demo.example or Demo store <hello@demo.example>.`,
    )
    .optional();

/** A binding of the platform: Cloudflare's Email Service. */
export interface EmailBinding {
  send(message: {
    readonly from: { readonly email: string; readonly name: string };
    readonly to: string;
    readonly replyTo?: string;
    readonly subject: string;
    readonly text: string;
    readonly html?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }): Promise<{ readonly messageId: string }>;
}

/** The variables of message senders: one for each medium. */
const senderVariables = {
  /** The sender's address of e-mails, at a domain that the provider has verified for the store. */
  MAIL_FROM: mailbox('MAIL_FROM'),
  /** The address for replies, if it isn't MAIL_FROM. */
  MAIL_REPLY_TO: mailbox('MAIL_REPLY_TO'),
  MAIL_RATE: rate('MAIL_RATE'),
  RESEND_API_KEY: secret,
  RESEND_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/=]+$/,
      'RESEND_WEBHOOK_SECRET is whsec_ and base64: the signing secret of the webhook at Resend.',
    )
    .optional(),
  RESEND_API_URL: providerOrigin('RESEND_API_URL'),
  EMAIL: z
    .custom<EmailBinding>((value) => typeof value === 'object', {
      error: 'EMAIL must be a send_email binding, not a variable.',
    })
    .optional(),
  WHATSAPP_RATE: rate('WHATSAPP_RATE'),
  FONNTE_TOKEN: secret,
  FONNTE_API_URL: providerOrigin('FONNTE_API_URL'),
  WHATSAPP_TOKEN: secret,
  WHATSAPP_PHONE_ID: z
    .string()
    .regex(/^[0-9]+$/, 'WHATSAPP_PHONE_ID is the id of the phone number: digits.')
    .optional(),
  WHATSAPP_APP_SECRET: secret,
  WHATSAPP_VERIFY_TOKEN: secret,
  WHATSAPP_API_URL: providerOrigin('WHATSAPP_API_URL'),
};

/** A binding of the platform. */
interface OutboundFetcher {
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/** The variables and secrets of the worker. An error message says how to correct a value, and never shows it. */
const Variables = z.object({
  DATABASE_URL: z
    .string({ error: 'DATABASE_URL is missing: set it to the connection string of your database.' })
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must start with postgres:// or postgresql://.'),
  API_KEY_PEPPERS: z.string({
    error: 'API_KEY_PEPPERS is missing: set it to 1:<base64url of 32 random bytes>.',
  }),
  SESSION_KEYS: z.string({
    error: 'SESSION_KEYS is missing: set it to a JWK set with an Ed25519 private key.',
  }),
  BASE_URL: origin(
    'BASE_URL must be the address clients reach this service at, like https://api.example: http or https, and no path (set that as REST_ROOT).',
  ),
  REST_ROOT: z
    .string()
    .regex(/^(\/[A-Za-z0-9_-]+)*$/, 'REST_ROOT is a path like /api, or empty.')
    .default('/api'),
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((origin) => origin !== ''))
    .pipe(
      z.array(
        z.union([z.literal('*'), origin('')], {
          error: 'CORS_ORIGINS must be origins like https://app.example, without paths.',
        }),
      ),
    )
    .default([]),
  SUBREQUESTS: z
    .string()
    .regex(
      /^(1[2-9]|[2-9][0-9]|[1-9][0-9]{2,4})$/,
      'SUBREQUESTS is a whole number from 12, like 50.',
    )
    .default('50')
    .transform(Number),
  MODULES: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((word) => word !== ''))
    .default([]),
  CALLER_LIMIT: limit('CALLER_LIMIT'),
  FAILURE_LIMIT: limit('FAILURE_LIMIT'),
  WEBHOOK_LOG_DAYS: days('WEBHOOK_LOG_DAYS', 90),
  MESSAGE_DAYS: days('MESSAGE_DAYS', 90),
  IDEMPOTENCY_DAYS: days('IDEMPOTENCY_DAYS', 7),
  AUDIT_DAYS: days('AUDIT_DAYS', 365),
  ...paymentVariables,
  ...senderVariables,
  REMINDER_URL: z.url({ error: 'REMINDER_URL is the address messages are posted to.' }).optional(),
  REMINDER_SECRET: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/=]{24,}$/,
      'REMINDER_SECRET is whsec_ and the base64 of random bytes.',
    )
    .optional(),
  /** The secret that software sends to the module `slm`. */
  SLM_SECRET_KEY: secret,
  /** The id in the mark of the store's database, which `npm run deploy` passes to the worker. */
  STORE_ID: z.string().optional(),
  ENVIRONMENT: z.enum(['production', 'development']).default('production'),
  /** A binding that reaches this machine: it enables webhooks to loopback addresses. */
  DEV_OUTBOUND: z.custom<OutboundFetcher>((value) => typeof value === 'object').optional(),
  /** `off`: this worker does no due work, neither in jobs nor after an answer. Other workers of the store do it. */
  DEV_JOBS: z.enum(['on', 'off'], { error: 'DEV_JOBS is on or off.' }).default('on'),
});

const Config = Variables.refine(
  ({ ENVIRONMENT, DEV_OUTBOUND }) => ENVIRONMENT === 'development' || DEV_OUTBOUND === undefined,
  'DEV_OUTBOUND is for development only: remove the binding.',
).refine(
  ({ ENVIRONMENT, DEV_JOBS }) => ENVIRONMENT === 'development' || DEV_JOBS === 'on',
  'DEV_JOBS is for development only: remove the variable.',
);

export type Config = z.output<typeof Config>;

export const variableNames = Object.keys(Variables.shape);

/**
 * Parses the configuration.
 * @throws Error naming every wrong variable
 */
export const readConfig = (env: Record<string, unknown>): Config => read(Config, env);

/** The public part of the configuration, for a deployment's document. */
const PublishedConfig = Variables.pick({
  BASE_URL: true,
  REST_ROOT: true,
  MODULES: true,
  IDEMPOTENCY_DAYS: true,
});

export type PublishedConfig = z.output<typeof PublishedConfig>;

export const readPublishedConfig = (vars: Record<string, unknown>): PublishedConfig =>
  read(PublishedConfig, vars);

function read<T>(schema: z.ZodType<T>, env: Record<string, unknown>): T {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `  ${issue.message}`);
  throw new Error(`The service is not configured:\n${problems.join('\n')}`);
}

/** The variables that set up a provider. `DUITKU_MD5` is not among them: it has a default, so it is always set. */
const providerVariables = [
  ...Object.keys(paymentVariables).filter((name) => name !== 'DUITKU_MD5'),
  ...Object.keys(senderVariables),
  'REMINDER_URL',
  'REMINDER_SECRET',
] as (keyof Config)[];

export const hasProviders = (config: Config): boolean =>
  providerVariables.some((name) => config[name] !== undefined);

/** The console's address of the endpoints for API keys. */
export const consoleApi = '/console/api/v1';

/** The paths at which the namespaces of a deployment start. */
export const prefixes = (restRoot: string) => ({
  api: `${restRoot}/svc/v1`,
  notify: `${restRoot}/svc-notify/v1`,
  console: '/console/api',
  root: '',
});
