import * as z from 'zod';
import { endpoint, open, Redirect } from '../../kernel/endpoint/declare.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { hashedSecret, newSecret } from '../../actions/account/secrets.ts';
import {
  findAccountLink,
  insertAccountSession,
  sessionSeconds,
  useAccountLink,
} from '../../queries/accounts.ts';
import { keepNewBuyer } from '../../queries/new-buyers.ts';
import { actingNote } from './account-acting.ts';
import { accountCookie, foreignRefusal } from './account-requests.ts';
import { errorPage } from './answers.ts';

export const enterAccount = endpoint({
  id: 'shop.accountEnter',
  namespace: 'root',
  route: ['POST /account/session'],
  summary: 'Sign in by a link, which is used up',
  access: open('who has the link has no session yet'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  bodyType: 'application/x-www-form-urlencoded',
  body: z.object({ link: textUpTo(100) }),
  reply: [302, Redirect],
  errors: ['rest_forbidden', 'rest_not_found'],
  errorPage,
}).handle(async ({ body: { link }, db, request, config, authority, now }) => {
  const foreign = foreignRefusal(request, config);
  if (foreign) return foreign;
  const hashed = await hashedSecret('svcenter', link, authority);
  const again = redirectTo(`${config.BASE_URL}/account?link=gone`);
  if (!hashed) return again;
  const { token, kept } = await newSecret('svcacc', authority);
  const location = `${config.BASE_URL}/account`;
  const { found } = await db.query({ found: findAccountLink(hashed, now) });
  const [member] = found;
  if (!member) return again;
  const entered = await db.change<Record<never, never>, 'rest_not_found'>({
    load: {},
    decide: () => ({
      write: [
        useAccountLink(hashed.prefix, now),
        insertAccountSession(kept, { ...member, isFresh: true }, now),
        ...(member.actor_id === null ? [keepNewBuyer(member.user_id)] : []),
      ],
      ...actingNote(member.user_id, member.actor_id),
      reply: { location },
    }),
  });
  if (isRefusal(entered)) return again;
  return redirectTo(location, accountCookie(token, sessionSeconds, config));
});
