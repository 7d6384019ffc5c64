import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import { Email } from '../../lib/email.ts';
import { findSettings } from '../../queries/settings.ts';
import { mailLink } from '../../processes/account/mailing.ts';
import { foreignRefusal } from './account-requests.ts';
import { errorPage, pageAnswer } from './answers.ts';
import { accountTexts } from './view/texts/account.ts';

export const askForLink = endpoint({
  id: 'shop.accountMail',
  namespace: 'root',
  route: ['POST /account/link'],
  summary: 'Send a sign-in link to an address, if it has an account',
  access: open('who signs in has no session yet'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  bodyType: 'application/x-www-form-urlencoded',
  body: z.object({ email: Email }),
  reply: [200, html],
  errors: ['rest_forbidden'],
  errorPage,
}).handle(async ({ body: { email }, db, request, config, after }) => {
  const foreign = foreignRefusal(request, config);
  if (foreign) return foreign;
  const { settings } = await db.query({ settings: findSettings() });
  const { messagePage } = await import('./view/message.tsx');
  // The lookup runs after the answer, so that the answer takes the same time for any address.
  after((services) => mailLink({ email }, accountTexts, services));
  return pageAnswer(settings, request, (store) =>
    messagePage(store, accountTexts[store.language].sent),
  );
});
