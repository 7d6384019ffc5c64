import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { hashedSecret } from '../../actions/account/secrets.ts';
import { changedSelf } from '../../actions/account/self.ts';
import { type OldAddress, tellOldAddress } from '../../processes/account/mailing.ts';
import { findAddressLink, useAccountLink } from '../../queries/accounts.ts';
import { findEmailOf, findUser } from '../../queries/users.ts';
import { accountTexts } from './view/texts/account.ts';
import { changeAsMember, memberForm } from './account-member.ts';

const details = '/account/details';

const noLink = { prefix: '', hashes: [] };

export const confirmEmail = endpoint({
  ...memberForm,
  id: 'shop.accountEmailConfirm',
  route: ['POST /account/email/confirm'],
  summary: 'Change the e-mail address of a member to the one that a link was sent to',
  body: z.object({ link: textUpTo(100) }),
  errors: ['rest_forbidden', 'rest_not_found'],
}).handle(async ({ body: { link }, after, ...context }) => {
  const { now, authority } = context;
  const secret = (await hashedSecret('svcenter', link, authority)) ?? noLink;
  let left = { email: '', language: null } as OldAddress;
  const answer = await changeAsMember(context, {
    path: `${details}?said=saved`,
    load: (member) => ({
      found: findUser(member),
      link: findAddressLink(secret, member, now),
      taken: findEmailOf(secret),
    }),
    decide: ({ found, link: [row], taken }) => {
      if (!row?.email || taken.length > 0) return { write: [], path: `${details}?said=gone` };
      const changed = changedSelf(found, { email: row.email }, now);
      if (isRefusal(changed)) return changed;
      const { email, language = null } = found[0]?.user ?? {};
      left = { email: email ?? '', language };
      return { ...changed, write: [useAccountLink(secret.prefix, now), ...changed.write] };
    },
  });
  if (!isRefusal(answer) && left.email !== '') {
    after((services) => tellOldAddress(left, accountTexts, services));
  }
  return answer;
});
