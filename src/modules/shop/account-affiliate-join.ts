import { endpoint } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { changedSelf } from '../../actions/account/self.ts';
import { affiliateAccess } from '../../domain/user/rules.ts';
import { findSettings } from '../../queries/settings.ts';
import { findUser } from '../../queries/users.ts';
import { changeAsMember, memberForm } from './account-member.ts';

export const becomeAffiliate = endpoint({
  ...memberForm,
  id: 'shop.accountAffiliateJoin',
  route: ['POST /account/affiliate'],
  summary: 'Make a member an affiliate, if the store lets them',
  errors: ['rest_forbidden', 'rest_not_found'],
}).handle(async (context) =>
  changeAsMember(context, {
    path: '/account/affiliate',
    load: (member) => ({ found: findUser(member), settings: findSettings() }),
    decide: ({ found, settings: [settings] }) => {
      const [row] = found;
      if (!row || !settings?.affiliate_sign_up) return refuse('rest_forbidden');
      const access = affiliateAccess({ ...row.user, group: row.group });
      if (access === 'ok') return { write: [] };
      if (access !== 'no-capability') return refuse('rest_forbidden');
      return changedSelf(found, { roles: [...row.user.roles, 'affiliate'] }, context.now);
    },
  }),
);
