import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/endpoints.ts';
import { type ApiClient, formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { pictures } from '../../lib/pictures.ts';

const opened = useStoreFixture();

/** In the order of the table's columns. */
const callers = ['nobody', 'buyer', 'affiliate', 'administrator', 'switched'] as const;
type Caller = (typeof callers)[number];

/** Clients of the callers; `switched` is the administrator acting as the buyer. */
let clients: Record<Caller, ApiClient>;
/** Ids of an order of the buyer and the affiliate, of another order, a product and a template. */
let order: number, foreign: number, product: number, template: number;
let buyer: number;
let proof: string;

beforeAll(async () => {
  const { fixture } = opened;
  const { store } = fixture;
  ({ id: buyer } = await fixture.newUser());
  const affiliate = await fixture.newAffiliate();
  const administrator = await fixture.newAdministrator();
  clients = {
    nobody: store.client(),
    buyer: await store.session(buyer),
    affiliate: await store.session(affiliate.id),
    administrator: administrator.session,
    switched: await store.session(buyer, store.switchedBy(administrator.id)),
  };
  ({ id: product } = await fixture.newProduct({
    affiliate: { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] },
  }));
  const sale = { product_id: product, user_id: buyer, affiliate_id: affiliate.id };
  ({ id: order } = await fixture.newOrder(sale));
  ({ id: foreign } = await fixture.newOrder({ product_id: product }));
  const { body } = await fixture.api.post('/coupons', {
    code: 'TEMPLATE',
    rule: { use_by_affiliate: true },
  });
  template = body.data.id;
  const form = formOf({ file: picture(), purpose: 'proof', order_id: order });
  proof = (await clients.buyer.post('/me/media/upload-image', form)).body.data.key;
});

const picture = () => new Blob([pictures.png]);

let numbers = 0;
const newCode = () => `CODE-${++numbers}`;

interface Request {
  path?: string;
  body?: object;
}

/** The further parts of a request. */
type Ask = (client: ApiClient) => Request | Promise<Request>;

/** Every operation of `/me`, with the status for each caller; the last one ends a session. */
const table = `
                                         nobody  buyer  affiliate  administrator  switched
GET /me                                     401    200        200            200       200
POST /me/profile                            401    200        200            200       200
PATCH /me/profile                           401    200        200            200       200
GET /me/home-summary                        401    200        200            200       200
GET /me/commission-summary                  401    200        200            200       200
GET /me/commissions                         401    200        200            200       200
GET /me/products                            401    200        200            200       200
GET /me/links                               401    200        200            200       200
GET /me/creatives                           401    200        200            200       200
GET /me/figures                             401    200        200            200       200
GET /me/rank                                401    200        200            200       200
GET /me/leaderboard                         401    200        200            200       200
GET /me/license-keys                        401    200        200            200       200
GET /me/subscriptions                       401    200        200            200       200
GET /me/subscriptions/:id                   401    200        404            404       200
POST /me/subscriptions/:id/cancel           401    200        404            404       200
POST /me/subscriptions/:id/resume           401    200        404            404       200
GET /me/access                              401    200        200            200       200
GET /me/access/:product_id/files            401    200        404            404       200
GET /me/state                               401    200        200            200       200
GET /me/export                              401    200        200            200       200
GET /me/orders                              401    200        200            200       200
GET /me/orders of everybody                 401    403        403            200       403
GET /me/orders/:id                          401    200        200            200       200
GET /me/orders/:id of another               401    404        404            200       404
POST /me/orders/:id/status                  401    403        403            200       403
PATCH /me/orders/:id/status                 401    403        403            200       403
GET /me/affiliate-coupons                   401    200        200            200       200
POST /me/affiliate-coupons                  401    403        201            403       403
POST /me/media/upload-image of a creative   401    403        201            201       403
POST /me/media/upload-image of a proof      401    201        404            201       201
GET /me/media/:key                          401    200        404            200       200
GET /me/admin-summary                       401    403        403            200       403
GET /me/users                               401    403        403            200       403
GET /me/users/:id                           401    403        403            200       403
PUT /me/users/:id                           401    403        403            200       403
PATCH /me/users/:id                         401    403        403            200       403
POST /me/users/:id                          401    403        403            200       403
POST /me/users/:id/sessions/revoke          401    403        403            200       403
GET /me/coupons                             401    403        403            200       403
POST /me/coupons                            401    403        403            201       403
GET /me/licenses                            401    403        403            200       403
GET /me/coupon-products                     401    403        403            200       403
GET /me/settings                            401    403        403            200       403
PATCH /me/settings                          401    403        403            200       403
POST /me/account-link                       401    403        403            201       403
POST /me/switch-user                        401    403        403            200       409
POST /me/switch-back                        401    400        400            400       200
`;

const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, operation = '', method = '', path = '', statuses = ''] =
      /^((\S+) (\S+).*?) +((?:\d{3} *)+)$/.exec(line) ?? [];
    return { operation, method, path, statuses: statuses.split(/ +/).map(Number) };
  });

const completion: Ask = async () => {
  const { id } = await opened.fixture.newOrder({ product_id: product, user_id: buyer });
  return { path: `/me/orders/${id}/status`, body: { status: 'completed' } };
};

/** A new subscription of the buyer that is cancelled at its end. */
async function newSubscription(): Promise<string> {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct({
    payment_type: 'recurring',
    subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 5000 } },
  });
  await fixture.newOrder({ product_id, user_id: buyer, status: 'completed' });
  const { body } = await fixture.api.get(`/subscriptions?product_id=${product_id}`);
  const { id } = body.data[0];
  await clients.buyer.post(`/me/subscriptions/${id}/cancel`, { at: 'end' });
  return `/me/subscriptions/${id}`;
}

const change: Ask = async () => ({
  path: `/me/users/${(await opened.fixture.newUser()).id}`,
  body: { roles: ['administrator'] },
});

const upload = (fields: object) => ({ body: formOf({ file: picture(), ...fields }) });

/** The input of operations besides their address. */
const asks: Readonly<Record<string, Ask>> = {
  'POST /me/profile': () => ({ body: {} }),
  'PATCH /me/profile': () => ({ body: {} }),
  'GET /me/links': () => ({ path: `/me/links?product_id=${product}` }),
  'GET /me/creatives': () => ({ path: `/me/creatives?product_id=${product}` }),
  'GET /me/access/:product_id/files': () => ({ path: `/me/access/${product}/files` }),
  'GET /me/orders of everybody': () => ({ path: '/me/orders?scope=all' }),
  'GET /me/orders/:id': () => ({ path: `/me/orders/${order}` }),
  'GET /me/orders/:id of another': () => ({ path: `/me/orders/${foreign}` }),
  'POST /me/orders/:id/status': completion,
  'PATCH /me/orders/:id/status': completion,
  'GET /me/subscriptions/:id': async () => ({ path: await newSubscription() }),
  'POST /me/subscriptions/:id/cancel': async () => ({
    path: `${await newSubscription()}/cancel`,
    body: { at: 'now' },
  }),
  'POST /me/subscriptions/:id/resume': async () => ({ path: `${await newSubscription()}/resume` }),
  'POST /me/affiliate-coupons': () => ({ body: { code: newCode(), coupon_parent_id: template } }),
  'POST /me/media/upload-image of a creative': () => upload({ purpose: 'creative' }),
  'POST /me/media/upload-image of a proof': () => upload({ purpose: 'proof', order_id: order }),
  'GET /me/media/:key': () => ({ path: `/me/media/${proof}` }),
  'GET /me/users/:id': () => ({ path: `/me/users/${buyer}` }),
  'PUT /me/users/:id': change,
  'PATCH /me/users/:id': change,
  'POST /me/users/:id': change,
  'POST /me/users/:id/sessions/revoke': async () => ({
    path: `/me/users/${(await opened.fixture.newUser()).id}/sessions/revoke`,
  }),
  'POST /me/coupons': () => ({ body: { code: newCode() } }),
  'PATCH /me/settings': () => ({ body: {} }),
  'POST /me/account-link': () => ({ body: { user_id: buyer, reason: 'Help' } }),
  'POST /me/switch-user': () => ({ body: { user_id: buyer } }),
};

test('the table has every operation of /me', () => {
  const routes = endpoints.flatMap(({ route }) => route);
  const own = routes.filter((route) => /^[A-Z]+ \/me(\/|$)/.test(route));
  const listed = rows.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(listed)].sort()).toEqual(own.sort());
});

describe.each(rows)('$operation', ({ operation, method, path: address, statuses }) => {
  const cells = callers.map((caller, i) => ({ caller, status: statuses[i] }));

  test.each(cells)('answers $caller with $status', async ({ caller, status }) => {
    const client = clients[caller];
    const { path = address, body } = (await asks[operation]?.(client)) ?? {};
    const reply = await client.request(method, path, body && { body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  });
});
