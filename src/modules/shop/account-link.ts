import * as z from 'zod';
import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { addSeconds } from '../../lib/instant.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import type { UserRow } from '../../domain/user/rules.ts';
import { isStaff } from '../../domain/user/capabilities.ts';
import { insertAccountLink, linkSeconds } from '../../queries/accounts.ts';
import { findUser } from '../../queries/users.ts';

export const AccountLink = z
  .object({
    user_id: Id,
    url: z
      .url()
      .meta({ examples: ['https://shop.example/account?link=svcenter_5vG2nPqLxZt8_R4wK'] }),
    expires_at: Instant,
  })
  .meta({ id: 'AccountLink' });

/** Refuses people who sign in to the console, or may not sign in at all. */
export const linkRefusal = ({ user }: UserRow) =>
  isStaff(user) || user.status !== 'active'
    ? refuse('rest_forbidden', { message: 'This person may not sign in by such a link.' })
    : undefined;

export const mintAccountLink = endpoint({
  id: 'shop.accountLink',
  route: ['POST /users/:id/account-link'],
  summary: 'Make a link to the pages of an account',
  description:
    'For sites that sign people in themselves: the link opens `/account` as the user, once, within an hour. People with a role in the console get none.',
  access: apiKey('sessions:write'),
  effect: 'write',
  conditional: false,
  secretReply: true,
  params: IdParams,
  reply: [201, record(AccountLink)],
  errors: ['rest_not_found', 'rest_forbidden'],
}).handle(async ({ params: { id }, db, authority, config, now }) => {
  const { token, kept } = await newSecret('svcenter', authority);
  return db.change({
    load: { found: findUser(id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_not_found');
      return (
        linkRefusal(row) ?? {
          write: [insertAccountLink(kept, id, now)],
          audit: { record: id },
          reply: one({
            user_id: id,
            url: `${config.BASE_URL}/account?link=${token}`,
            expires_at: addSeconds(now.toISOString(), linkSeconds),
          }),
        }
      );
    },
  });
});
