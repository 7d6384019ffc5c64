import * as z from 'zod';
import { endpoint, html, open } from '../../kernel/endpoint/declare.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import type { Results } from '../../kernel/database/statements.ts';
import type { Config } from '../../config.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { hashedSecret } from '../../actions/account/secrets.ts';
import { signLink } from '../../actions/files/links.ts';
import { loadRights, rightsOf } from '../../actions/files/rights.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { mayDownload } from '../../domain/file/downloads.ts';
import { toLicenseKey } from '../../domain/license/keys.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { findGrantsOf } from '../../queries/access.ts';
import {
  type HashedSecret,
  accountOf,
  findAccount,
  findAccountLink,
  prolongSession,
  sessionSeconds,
} from '../../queries/accounts.ts';
import { findFilesOf } from '../../queries/files.ts';
import { listLicenseKeys } from '../../queries/licenses.ts';
import { listOrders } from '../../queries/orders.ts';
import { findSettings } from '../../queries/settings.ts';
import { listSubscriptions } from '../../queries/subscriptions.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { sessionOf } from './account-requests.ts';
import { errorPage, pageAnswer } from './answers.ts';
import type { AccountView } from './view/account.tsx';

/** The most records of each kind on the page. */
const newest = { limit: 50, offset: 0, ascending: false, after: undefined };

/** Loads the account page's records in the trip that identifies the member. */
function loadAccount(session: HashedSecret, now: Date) {
  const user_id = accountOf(session, now);
  return {
    account: findAccount(session, now),
    orders: listOrders({ user_id }, newest),
    licences: listLicenseKeys({ user_id }, newest),
    subscriptions: listSubscriptions({ user_id }, newest),
    access: findGrantsOf(user_id),
    files: findFilesOf(user_id),
    rights: loadRights(user_id, 'all'),
  };
}

type Loaded = Results<ReturnType<typeof loadAccount>>;

/** Builds the page's data, with new links to files. */
async function viewOf(
  loaded: Loaded,
  { authority, config, now }: { authority: Authority; config: Config; now: Date },
): Promise<AccountView | undefined> {
  const [account] = loaded.account;
  const rights = rightsOf(loaded.rights, now);
  if (!account || !rights) return undefined;
  const at = now.toISOString();
  const files = loaded.files.filter((file) => mayDownload(file, rights));
  const linked = await Promise.all(
    files.map(async (file) => ({
      ...file,
      url: `${config.BASE_URL}/download/${await signLink(authority, account.id, file.id, now)}`,
    })),
  );
  const products = toAccessProducts(loaded.access, at).filter(({ status }) => status === 'active');
  return {
    name: account.display_name,
    email: account.email,
    orders: loaded.orders.map((row) => toOrder(row)),
    licences: loaded.licences.map((row) => toLicenseKey(row, now)),
    subscriptions: loaded.subscriptions.map((row) => toSubscription(row, at)),
    products: products.map((product) => ({
      ...product,
      files: linked.filter(({ product_id }) => product_id === product.product_id),
    })),
    mayCancel: loaded.rights.settings[0]?.members_cancel === true,
  };
}

export const showAccount = endpoint({
  id: 'shop.account',
  namespace: 'root',
  route: ['GET /account'],
  summary: 'Show an account to its member, or the way to sign in',
  access: open('who has no session is shown the way to sign in'),
  effect: 'read',
  query: z.object({ link: textUpTo(100).optional() }),
  reply: [200, html],
  errorPage,
}).handle(async ({ query: { link }, db, request, config, authority, after, now }) => {
  const { accountPage, enterPage, signInPage } = await import('./view/account.tsx');
  const session = await sessionOf(request, config, authority);
  if (link !== undefined) {
    const hashed = await hashedSecret('svcenter', link, authority);
    const { settings, found } = await db.query({
      settings: findSettings(),
      found: findAccountLink(hashed ?? { prefix: '', hashes: [] }, now),
    });
    return pageAnswer(settings, request, (store) =>
      found[0] ? enterPage(store, found[0].display_name, link) : signInPage(store, true),
    );
  }
  const loaded = session && (await db.query(loadAccount(session, now)));
  const view = loaded && (await viewOf(loaded, { authority, config, now }));
  if (!view || !session) {
    const { settings } = loaded?.rights ?? (await db.query({ settings: findSettings() }));
    return pageAnswer(settings, request, (store) => signInPage(store, false));
  }
  if (isOld(loaded, now)) {
    after(async ({ connection }) => {
      await new UnitOfWork(connection, undefined).write([prolongSession(session.prefix, now)]);
    });
  }
  return pageAnswer(loaded.rights.settings, request, (store) => accountPage(store, view));
});

/** Tells if the end of a session was last moved more than a day ago. */
const isOld = ({ account: [account] }: Loaded, now: Date) =>
  account !== undefined &&
  Date.parse(account.expires_at) - now.getTime() < (sessionSeconds - 86_400) * 1000;
