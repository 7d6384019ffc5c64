import * as z from 'zod';
import { endpoint, open, Redirect } from '../../kernel/endpoint/declare.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { endAccountSession, endEverySession } from '../../queries/accounts.ts';
import { accountCookie, foreignRefusal, sessionOf } from './account-requests.ts';
import { errorPage } from './answers.ts';

export const leaveAccount = endpoint({
  id: 'shop.accountLeave',
  namespace: 'root',
  route: ['POST /account/sign-out'],
  summary: 'Sign out, here or everywhere',
  access: open('its cookie says whose session ends'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  bodyType: 'application/x-www-form-urlencoded',
  body: z.object({ everywhere: z.literal('1').optional() }),
  reply: [302, Redirect],
  errors: ['rest_forbidden'],
  errorPage,
}).handle(async ({ body, db, request, config, authority, now }) => {
  const foreign = foreignRefusal(request, config);
  if (foreign) return foreign;
  const session = await sessionOf(request, config, authority);
  const location = `${config.BASE_URL}/account`;
  if (session) {
    const ended = await db.change<Record<never, never>, never>({
      load: {},
      decide: () => ({
        write: [
          ...(body.everywhere ? [endEverySession(session, now)] : []),
          endAccountSession(session),
        ],
        reply: { location },
      }),
    });
    if (isRefusal(ended)) return ended;
  }
  return redirectTo(location, accountCookie('', 0, config));
});
