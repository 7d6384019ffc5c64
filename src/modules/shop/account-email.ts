import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { Email } from '../../lib/email.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { mailLink } from '../../processes/account/mailing.ts';
import { accountTexts } from './view/texts/account.ts';
import { notFresh, changeAsMember, isFresh, memberForm } from './account-member.ts';

const details = '/account/details';

export const askForEmail = endpoint({
  ...memberForm,
  id: 'shop.accountEmail',
  route: ['POST /account/email'],
  summary: 'Send a link to an address that a member wants to have',
  body: z.object({ email: textUpTo(254) }),
  errors: ['rest_forbidden'],
}).handle(async ({ body, after, ...context }) => {
  const email = Email.safeParse(body.email).data;
  let user_id: number | undefined;
  const answer = await changeAsMember(context, {
    // The answer does not show if somebody else has the address.
    path: `${details}?said=mailed`,
    load: () => ({}),
    decide: (_, member) => {
      if (!isFresh(member, context.now)) return notFresh;
      if (email === undefined) return { write: [], path: `${details}?said=invalid` };
      user_id = member.id;
      return { write: [] };
    },
  });
  const asked = user_id !== undefined && email !== undefined && { user_id, email };
  if (asked) after((services) => mailLink(asked, accountTexts, services));
  return answer;
});
