import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { Email } from '../../lib/email.ts';
import { StoreCurrency, Id, Instant, trimmedUpTo } from '../../lib/schemas.ts';
import { languages } from '../../schema/lists.ts';
import { scopes } from '../../schema/scopes.ts';

/** The secret of a link: the part after `#link=`. */
export const Link = z
  .object({
    link: trimmedUpTo(200)
      .min(1)
      .describe('The part of the address after `#link=`.')
      .meta({ examples: ['svclink_0123456789AB_…'] }),
  })
  .meta({ id: 'ConsoleLink' });

const account = z.object({
  id: Id,
  display_name: z.string(),
  email: z.string(),
  role: z
    .enum(['administrator', 'staff'])
    .describe(
      '`administrator` = may do everything in the console · `staff` = has the rights of `staff_role`.',
    ),
  staff_role: z
    .object({ id: Id, name: z.string() })
    .nullable()
    .describe('The role in the console; null for an administrator without one.'),
});

export const LinkRequest = z
  .object({ email: Email.describe('The address of the account.') })
  .meta({ id: 'ConsoleLinkRequest' });

export const LinkFor = z.object({ user_id: Id }).meta({ id: 'ConsoleLinkFor' });

export const Code = z
  .object({
    code: trimmedUpTo(20)
      .transform((typed) => typed.replace(/\s/g, ''))
      .refine((code) => /^[0-9]{6}$/.test(code), 'must be six digits')
      .meta({ examples: ['118204'] }),
  })
  .meta({ id: 'ConsoleCode' });

/** Sent even if there is no recipient. */
export const Sent = record(z.object({ sent: z.literal(true) }));

export const WaysIn = record(
  z
    .object({
      by_mail: z.boolean().describe('True if the store sends sign-in links by e-mail.'),
    })
    .meta({ id: 'ConsoleWaysIn' }),
);

export const LookedAt = record(
  z
    .object({
      user: account,
      store_name: z.string(),
      expires_at: Instant.describe('The end of the link.'),
    })
    .meta({ id: 'ConsoleLinkLook' }),
);

const store = z.object({
  name: z.string(),
  currency: StoreCurrency,
  currency_exponent: z.int().nullable(),
  timezone: z.string(),
  language: z.enum(languages),
  dialling: z
    .object({
      code: z
        .string()
        .describe('The calling code.')
        .meta({ examples: ['62'] }),
      trunk: z
        .string()
        .describe('The trunk prefix of national numbers; empty if the country has none.')
        .meta({ examples: ['0'] }),
    })
    .nullable()
    .describe("Dialling in the store's country; null until the store has a country."),
  api_base: z.string().describe('The address at which API keys call the service.'),
  shop_url: z
    .string()
    .nullable()
    .describe("The address of the shop's pages, without a slash at its end; null without them."),
});

export const SignedIn = record(
  z
    .object({
      user: account.extend({ language: z.enum(languages).nullable() }),
      session_id: Id,
      scopes: z
        .array(z.enum(scopes.map(({ name }) => name)))
        .describe('The rights of the account in the console, as scopes of API keys.'),
      authenticated_at: Instant,
      fresh_until: Instant.describe(
        'The time until which the session may do what needs a recent sign-in, such as making an API key.',
      ),
      expires_at: Instant,
      store,
    })
    .meta({ id: 'ConsoleSignIn' }),
);

export const ConsoleSession = z
  .object({
    id: Id,
    user: z.object({ id: Id, display_name: z.string() }),
    current: z.boolean().describe('True for the session that asks.'),
    user_agent: z.string().describe('The browser, by its own description.'),
    country: z.string().describe('The country of the sign-in: two letters, or empty if not known.'),
    authenticated_at: Instant,
    seen_at: Instant.describe('When it was last used, to the minute.'),
    expires_at: Instant.describe(
      'When it ends at the latest; it ends after eight hours without use, too.',
    ),
  })
  .meta({ id: 'ConsoleSession' });

const accountSessionId = z
  .string()
  .regex(/^[A-Za-z0-9]{1,40}$/)
  .describe('The public part of the cookie, which signs nobody in.')
  .meta({ examples: ['x7Kq2mVb9TzL'] });

export const AccountSessionParams = z.object({ id: accountSessionId });

export const AccountSession = z
  .object({
    id: accountSessionId,
    acting: z
      .object({ id: Id, display_name: z.string() })
      .nullable()
      .describe('The administrator who acts as the member; null if it is the member.')
      .meta({ examples: [null] }),
    created_at: Instant.describe('When the member signed in.'),
    used_at: Instant.describe('When it was last used, to the day.'),
    expires_at: Instant.describe('When it ends unless it is used.'),
  })
  .meta({ id: 'AccountSession' });

export const EndedAccountSession = record(
  z.object({ id: accountSessionId, ended: z.literal(true) }).meta({ id: 'EndedAccountSession' }),
);
