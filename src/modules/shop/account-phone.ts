import { endpoint } from '../../kernel/endpoint/declare.ts';
import { sendCode } from '../../processes/account/codes.ts';
import { findUser } from '../../queries/users.ts';
import { accountTexts } from './view/texts/account.ts';
import { notFresh, changeAsMember, isFresh, memberForm } from './account-member.ts';
import { sessionOf } from './account-requests.ts';

export const askForConfirmation = endpoint({
  ...memberForm,
  id: 'shop.accountPhone',
  route: ['POST /account/phone'],
  summary: "Send a code to a member's number, to confirm it",
  errors: ['rest_forbidden'],
}).handle(async ({ after, ...context }) => {
  const { request, config, authority, now } = context;
  const session = await sessionOf(request, config, authority);
  let asked: { phone: string; user_id: number } | undefined;
  const answer = await changeAsMember(context, {
    path: '/account/details?said=code',
    load: (member) => ({ found: findUser(member) }),
    decide: ({ found: [row] }, { id: user_id, fresh_until }) => {
      if (!isFresh({ fresh_until }, now)) return notFresh;
      const phone = row?.user.phone ?? '';
      if (phone === '') return { write: [], path: '/account/details?said=invalid' };
      asked = { phone, user_id };
      return { write: [] };
    },
  });
  if (asked && session) {
    const { phone, user_id } = asked;
    const member = { user_id, prefix: session.prefix };
    after((services) => sendCode(phone, member, accountTexts, services));
  }
  return answer;
});
