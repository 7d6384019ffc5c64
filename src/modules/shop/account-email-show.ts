import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { hashedSecret } from '../../actions/account/secrets.ts';
import { findAddressLink } from '../../queries/accounts.ts';
import { answerMember, memberPage } from './account-member.ts';

const noLink = { prefix: '', hashes: [] };

export const showEmail = endpoint({
  ...memberPage,
  id: 'shop.accountEmailShow',
  route: ['GET /account/email'],
  summary: 'Ask a member to confirm the new e-mail address that a link was sent to',
  query: z.object({ link: textUpTo(100) }),
}).handle(async ({ query: { link }, ...context }) => {
  const secret = await hashedSecret('svcenter', link, context.authority);
  return answerMember(context, {
    load: (member) => ({ found: findAddressLink(secret ?? noLink, member, context.now) }),
    view: async ({ found: [row] }) => {
      const { emailPage } = await import('./view/account/details.tsx');
      return (store) => emailPage(store, row?.email ?? undefined, link);
    },
  });
});
