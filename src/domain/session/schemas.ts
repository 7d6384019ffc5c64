import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { Id, textUpTo } from '../../lib/schemas.ts';

export const SessionCreate = z
  .object({
    user_id: Id.describe('The user to issue the token for.'),
    provider: textUpTo(64)
      .optional()
      .describe('Name of the application that connects; by default the setting `platform_name`.'),
    provider_user_id: textUpTo(200)
      .optional()
      .describe("The user's id in that application; by default `user_id`."),
  })
  .meta({ id: 'SessionCreate', examples: [{ user_id: 4, provider: 'mobile_app' }] });

/** Shown only once. */
const IssuedToken = z.object({
  token: z
    .string()
    .describe('Send it as `Authorization: Bearer <token>` to `/me` endpoints.')
    .meta({ examples: ['eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0In0.c2lnbmF0dXJl'] }),
  token_type: z.literal('Bearer'),
  expires_in: z
    .int()
    .describe('Seconds until the token expires.')
    .meta({ examples: [3600] }),
  user: z
    .object({ id: Id, display_name: z.string(), email: z.string() })
    .meta({ id: 'SessionUser' }),
});

export const IssuedSession = record(
  IssuedToken.extend({
    sid: z.uuid().describe('Id of the session, with which to revoke it.'),
  }).meta({ id: 'IssuedSession' }),
);

export const SessionContext = z
  .object({
    user_id: Id,
    effective_user_id: Id.describe('The user that every `/me` operation acts for.'),
    switched: z.boolean(),
    actor_user_id: Id.nullable().describe(
      'The administrator who acts as this user; null if nobody does.',
    ),
    provider: z.string().meta({ examples: ['mobile_app'] }),
    provider_user_id: z.string().meta({ examples: ['u-48213'] }),
    issued_at: z.iso.datetime().meta({ examples: ['2026-03-10T09:00:00.000Z'] }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'SessionContext' });

export const SwitchedSession = record(
  IssuedToken.extend({ session: SessionContext }).meta({ id: 'SwitchedSession' }),
);

export const SessionId = z.object({
  sid: z.uuid().describe('The `sid` of the session, as issued.'),
});

export const RevokedSession = record(
  z.object({ sid: z.uuid(), revoked: z.literal(true) }).meta({ id: 'RevokedSession' }),
);

export const RevokedSessions = record(
  z.object({ user_id: Id, revoked: z.literal(true) }).meta({ id: 'RevokedSessions' }),
);
