import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { changedSelf } from '../../actions/account/self.ts';
import { PayeeAccount } from '../../domain/user/schemas.ts';
import { findUser } from '../../queries/users.ts';
import { notFresh, changeAsMember, isFresh, memberForm } from './account-member.ts';

const path = '/account/details';

/** Unchecked: the page shows the errors itself. */
const field = z.string().default('');

export const saveBank = endpoint({
  ...memberForm,
  id: 'shop.accountBank',
  route: ['POST /account/bank'],
  summary: 'Change the bank account of a member',
  body: z.object({ bank_code: field, bank_name: field, number: field, holder: field }),
  errors: ['rest_forbidden', 'rest_not_found'],
}).handle(async ({ body, ...context }) => {
  const { data } = PayeeAccount.safeParse(body);
  return changeAsMember(context, {
    path: `${path}?said=saved`,
    load: (member) => ({ found: findUser(member) }),
    decide: ({ found }, member) => {
      if (!isFresh(member, context.now)) return notFresh;
      if (!data) return { write: [], path: `${path}?said=invalid` };
      return changedSelf(found, { bank_account: data }, context.now);
    },
  });
});
