import * as z from 'zod';
import { endpoint } from '../../kernel/endpoint/declare.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { hashedSecret } from '../../actions/account/secrets.ts';
import { linkedFiles } from '../../actions/files/links.ts';
import { loadRights, rightsOf } from '../../actions/files/rights.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { toLicenseKey } from '../../domain/license/keys.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { sendsCodes } from '../../processes/account/codes.ts';
import { findGrantsOf } from '../../queries/access.ts';
import { findAccountLink } from '../../queries/accounts.ts';
import { findFilesOf } from '../../queries/files.ts';
import { listLicenseKeys } from '../../queries/licenses.ts';
import { listOrders } from '../../queries/orders.ts';
import { findSettings } from '../../queries/settings.ts';
import { listSubscriptions } from '../../queries/subscriptions.ts';
import { pageAnswer } from './answers.ts';
import { answerMember, memberPage, newest } from './account-member.ts';

export const showAccount = endpoint({
  ...memberPage,
  id: 'shop.account',
  route: ['GET /account'],
  summary: 'Show an account to its member, or the way to sign in',
  query: z.object({ link: textUpTo(100).optional() }),
}).handle(async ({ query: { link }, ...context }) => {
  const { db, request, config, authority, now } = context;
  if (link !== undefined) {
    const { enterPage, signInPage } = await import('./view/account/sign-in.tsx');
    const hashed = await hashedSecret('svcenter', link, authority);
    const { settings, found } = await db.query({
      settings: findSettings(),
      found: findAccountLink(hashed ?? { prefix: '', hashes: [] }, now),
    });
    const byCode = sendsCodes(config);
    return pageAnswer(settings, request, (store) =>
      found[0]
        ? enterPage(store, found[0].display_name, link)
        : signInPage(store, { byCode, isGone: true }),
    );
  }
  return answerMember(context, {
    load: (user_id) => ({
      orders: listOrders({ user_id }, newest),
      licences: listLicenseKeys({ user_id }, newest),
      subscriptions: listSubscriptions({ user_id }, newest),
      access: findGrantsOf(user_id),
      files: findFilesOf(user_id),
      rights: loadRights(user_id, 'all'),
    }),
    view: async (loaded, member) => {
      const rights = rightsOf(loaded.rights, now);
      if (!rights) return undefined;
      const at = now.toISOString();
      const files = await linkedFiles(loaded.files, rights, context);
      const products = toAccessProducts(loaded.access, at).filter(
        ({ status }) => status === 'active',
      );
      const { accountPage } = await import('./view/account/overview.tsx');
      const shown = {
        member,
        orders: loaded.orders.map((row) => toOrder(row)),
        licences: loaded.licences.map((row) => toLicenseKey(row, now)),
        subscriptions: loaded.subscriptions.map((row) => toSubscription(row, at)),
        products: products.map((product) => ({
          ...product,
          files: files.filter(({ product_id }) => product_id === product.product_id),
        })),
      };
      return (store) => accountPage(store, shown);
    },
  });
});
