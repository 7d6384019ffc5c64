import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { sendCode } from '../../processes/account/codes.ts';
import { findSettings } from '../../queries/settings.ts';
import { errorPage, pageAnswer } from './answers.ts';
import { accountTexts } from './view/texts/account.ts';
import { foreignRefusal } from './account-requests.ts';

export const askForCode = endpoint({
  id: 'shop.accountCode',
  namespace: 'root',
  route: ['POST /account/code'],
  summary: 'Send a sign-in code to a number, if a member confirmed it',
  access: open('who signs in has no session yet'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  bodyType: 'application/x-www-form-urlencoded',
  body: z.object({ phone: textUpTo(32) }),
  reply: [200, html],
  errors: ['rest_forbidden'],
  errorPage,
}).handle(async ({ body: { phone }, db, request, config, after }) => {
  const foreign = foreignRefusal(request, config);
  if (foreign) return foreign;
  const { settings } = await db.query({ settings: findSettings() });
  const { codePage } = await import('./view/account/sign-in.tsx');
  // The lookup runs after the answer, so that the answer takes the same time for any number.
  after((services) => sendCode(phone, undefined, accountTexts, services));
  return pageAnswer(settings, request, (store) => codePage(store, phone, false));
});
