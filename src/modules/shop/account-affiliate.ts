import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { copiable } from '../../actions/coupons/copying.ts';
import { withFigures } from '../../domain/affiliate/figures.ts';
import { addressesOf, affiliateLinks } from '../../domain/affiliate/links.ts';
import { forEarner, toCommission } from '../../domain/commission/rules.ts';
import { toCoupon } from '../../domain/coupon/rules.ts';
import { toPayout } from '../../domain/payout/rules.ts';
import { isClosed } from '../../domain/product/rules.ts';
import { affiliateAccess } from '../../domain/user/rules.ts';
import { commissionInfoOf, loadCommissionInfo } from '../../queries/commission-earnings.ts';
import { listCommissions } from '../../queries/commissions.ts';
import { findTemplates, listCoupons } from '../../queries/coupons.ts';
import { findLinkFigures } from '../../queries/link-figures.ts';
import { listPayouts } from '../../queries/payouts.ts';
import { findPromoted } from '../../queries/product-promotion.ts';
import { findUser } from '../../queries/users.ts';
import { answerMember, memberPage, newest } from './account-member.ts';

export const showAffiliate = endpoint({
  ...memberPage,
  id: 'shop.accountAffiliate',
  route: ['GET /account/affiliate'],
  summary: 'Show an affiliate their links and earnings, or a member the way to become one',
  query: z.object({ said: nameUpTo(10).optional() }),
}).handle(async ({ query: { said }, ...context }) =>
  answerMember(context, {
    load: (member) => ({
      found: findUser(member),
      info: loadCommissionInfo(member, {}, context.now),
      products: findPromoted(undefined),
      figures: findLinkFigures(member, undefined),
      commissions: listCommissions({ affiliate_id: member }, newest),
      payouts: listPayouts({ affiliate_id: member }, newest),
      coupons: listCoupons({ user_id: member }, newest),
      templates: findTemplates(),
    }),
    view: async (loaded, member) => {
      const [row] = loaded.found;
      const [settings] = loaded.info.settings;
      const earnings = commissionInfoOf(loaded.info);
      if (!row || !settings || !earnings) return undefined;
      const access = affiliateAccess({ ...row.user, group: row.group });
      const mayJoin = settings.affiliate_sign_up && access === 'no-capability';
      const at = addressesOf(settings, context.config);
      const { affiliatePage } = await import('./view/account/affiliate.tsx');
      const { now } = context;
      const shown = {
        ...{ member, said, mayJoin, earnings },
        isAffiliate: access === 'ok',
        products: loaded.products
          .filter((product) => !isClosed(product, undefined, now))
          .map((product) => ({
            title: product.title,
            links: withFigures(affiliateLinks(member.id, product, at), loaded.figures.rows),
          })),
        commissions: loaded.commissions.map((one) => forEarner(toCommission(one, now))),
        payouts: loaded.payouts.map(toPayout),
        coupons: loaded.coupons.map((one) => toCoupon(one, now)),
        templates: copiable(row, loaded.templates, now).map((one) => toCoupon(one, now)),
      };
      return (store) => affiliatePage(store, shown);
    },
  }),
);
