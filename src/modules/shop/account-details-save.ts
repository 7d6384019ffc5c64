import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { Phone, requiredUpTo, shortText, textUpTo } from '../../lib/schemas.ts';
import { changedSelf } from '../../actions/account/self.ts';
import { UserUpdate } from '../../domain/user/schemas.ts';
import { findUser } from '../../queries/users.ts';
import { changeAsMember, memberForm } from './account-member.ts';

const path = '/account/details';

const Details = z.object({
  display_name: requiredUpTo(200),
  phone: Phone,
  address: shortText,
  postal_code: textUpTo(20),
  country: z.string().trim().toUpperCase().pipe(UserUpdate.shape.country.unwrap()),
  language: z.enum(['', 'en', 'id']).transform((language) => language || null),
});

/** Unchecked: the page shows the errors itself. */
const field = z.string().default('');

export const saveDetails = endpoint({
  ...memberForm,
  id: 'shop.accountDetailsSave',
  route: ['POST /account/details'],
  summary: 'Change the name, phone and address of a member',
  body: z.object({
    ...{ display_name: field, phone: field, address: field },
    ...{ postal_code: field, country: field, language: field },
  }),
  errors: ['rest_forbidden', 'rest_not_found'],
}).handle(async ({ body, ...context }) => {
  const { data } = Details.safeParse(body);
  return changeAsMember(context, {
    path: `${path}?said=saved`,
    load: (member) => ({ found: findUser(member) }),
    decide: ({ found }) => {
      if (!data) return { write: [], path: `${path}?said=invalid` };
      return changedSelf(found, data, context.now);
    },
  });
});
