import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { sendsCodes } from '../../processes/account/codes.ts';
import { findPhone } from '../../queries/account-codes.ts';
import { findUser } from '../../queries/users.ts';
import { answerMember, isFresh, memberPage } from './account-member.ts';

export const showDetails = endpoint({
  ...memberPage,
  id: 'shop.accountDetails',
  route: ['GET /account/details'],
  summary: 'Show the details of a member, and forms to change them',
  query: z.object({ said: nameUpTo(10).optional() }),
}).handle(async ({ query: { said }, ...context }) =>
  answerMember(context, {
    load: (member) => ({
      found: findUser(member),
      phone: findPhone(member),
    }),
    view: async ({ found: [row], phone: [confirmed] }, member) => {
      if (!row) return undefined;
      const { detailsPage } = await import('./view/account/details.tsx');
      const shown = {
        ...{ member, said, user: row.user },
        isFresh: isFresh(member, context.now),
        isConfirmed: confirmed !== undefined,
        sendsCodes: sendsCodes(context.config),
      };
      return (store) => detailsPage(store, shown);
    },
  }),
);
