import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { dialledNumber } from '../../lib/phone.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { hashesOfCode } from '../../actions/account/codes.ts';
import { newSecret } from '../../actions/account/secrets.ts';
import { codeTries, countCodeTry, findCodesOf, useCode } from '../../queries/account-codes.ts';
import { insertAccountSession, sessionSeconds } from '../../queries/accounts.ts';
import { keepNewBuyer } from '../../queries/new-buyers.ts';
import { findSettings } from '../../queries/settings.ts';
import { errorPage, pageAnswer } from './answers.ts';
import { accountCookie, foreignRefusal } from './account-requests.ts';

export const enterByCode = endpoint({
  id: 'shop.accountCodeEnter',
  namespace: 'root',
  route: ['POST /account/code/session'],
  summary: 'Sign in by a code, which is used up',
  access: open('who has the code has no session yet'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  bodyType: 'application/x-www-form-urlencoded',
  body: z.object({ phone: textUpTo(32), code: textUpTo(20) }),
  reply: [200, html],
  errors: ['rest_forbidden'],
  errorPage,
}).handle(async ({ body, db, request, config, authority, now }) => {
  const foreign = foreignRefusal(request, config);
  if (foreign) return foreign;
  const { settings, codes } = await db.query({
    settings: findSettings(),
    codes: findCodesOf(body.phone, now),
  });
  const phone = dialledNumber(body.phone, settings[0]?.country ?? '');
  const code = codes.find((one) => one.phone === phone && one.tries < codeTries);
  const hashes = code ? await hashesOfCode(code.id, body.code.trim(), authority) : [];
  const isRight = code !== undefined && hashes.includes(code.hash);
  const { token, kept } = await newSecret('svcacc', authority);
  const entered = await db.change<Record<never, never>, 'rest_not_found'>({
    load: {},
    decide: () => ({
      write: isRight
        ? [
            useCode(code.id),
            insertAccountSession(kept, { ...code, actor_id: null, isFresh: false }, now),
            keepNewBuyer(code.user_id),
          ]
        : [countCodeTry(code?.id)],
      reply: '',
    }),
  });
  if (isRight && !isRefusal(entered)) {
    const cookie = accountCookie(token, sessionSeconds, config);
    return redirectTo(`${config.BASE_URL}/account`, cookie);
  }
  const { codePage } = await import('./view/account/sign-in.tsx');
  return pageAnswer(settings, request, (store) => codePage(store, body.phone, true), {
    status: 422,
    code: 'rest_invalid_param',
  });
});
