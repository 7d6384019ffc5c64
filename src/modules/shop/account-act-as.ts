import * as z from 'zod';
import { administrator } from '../../kernel/auth/access.ts';
import { endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { Id, requiredUpTo } from '../../lib/schemas.ts';
import { addSeconds } from '../../lib/instant.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import { insertAccountLink, linkSeconds } from '../../queries/accounts.ts';
import { findUser } from '../../queries/users.ts';
import { AccountLink, linkRefusal } from './account-link.ts';

export const actAsMember = endpoint({
  id: 'shop.accountActAs',
  route: ['POST /me/account-link'],
  summary: 'Make a link to act as a member on the pages of their account',
  description:
    'The link opens `/account` as the member, once, within an hour; the session ends after 30 minutes. The audit log keeps the reason, the sign-in and every change. E-mail address, bank account and number cannot be changed in it. People with a role in the console get no such link.',
  access: administrator(),
  fresh: true,
  effect: 'write',
  conditional: false,
  secretReply: true,
  body: z
    .object({
      user_id: Id,
      reason: requiredUpTo(500).describe('Recorded in the audit log.'),
    })
    .meta({
      id: 'AccountLinkRequest',
      examples: [{ user_id: 4, reason: 'Asked for help by phone.' }],
    }),
  reply: [201, record(AccountLink)],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ body: { user_id, reason }, principal, db, authority, config, now }) => {
  const { token, kept } = await newSecret('svcenter', authority);
  return db.change({
    load: { found: findUser(user_id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_not_found');
      return (
        linkRefusal(row) ?? {
          write: [insertAccountLink(kept, user_id, now, principal.actor.id)],
          audit: { record: user_id, acting_as: user_id, reason },
          reply: one({
            user_id,
            url: `${config.BASE_URL}/account?link=${token}`,
            expires_at: addSeconds(now.toISOString(), linkSeconds),
          }),
        }
      );
    },
  });
});
