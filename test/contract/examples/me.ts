import { formOf } from '../../harness/client.ts';
import { pictures } from '../../lib/pictures.ts';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';
import { newPromoted } from './affiliates.ts';
import { newSubscription } from './subscriptions.ts';

export const me: Examples = {
  'me.get': () => ({}),
  'me.state': () => ({}),
  'me.export': () => ({}),
  'me.profile.update': () => ({ body: { first_name: `Bo ${crypto.randomUUID()}` } }),
  'me.affiliateCoupons.list': ({ affiliate }) => ({ user: affiliate }),
  'me.affiliateCoupons.create': async (scene) => ({
    body: { code: newCode(), coupon_parent_id: await newTemplate(scene) },
    user: scene.affiliate,
  }),
  'me.homeSummary': ({ affiliate }) => ({ user: affiliate }),
  'me.adminSummary': () => ({}),
  'me.commissions.summary': ({ affiliate }) => ({ user: affiliate }),
  'me.subscriptions.list': () => ({}),
  'me.subscriptions.get': async (scene) => ({ params: { id: await newSubscription(scene) } }),
  'me.subscriptions.cancel': async (scene) => ({
    params: { id: await newSubscription(scene) },
    body: { at: 'end' },
  }),
  'me.subscriptions.resume': async (scene) => {
    const id = await newSubscription(scene);
    await (await scene.session(scene.buyer)).post(`/me/subscriptions/${id}/cancel`, { at: 'end' });
    return { params: { id } };
  },
  'me.access.list': () => ({}),
  'me.commissions.list': ({ affiliate }) => ({ user: affiliate }),
  'me.products.list': ({ affiliate }) => ({ user: affiliate }),
  'me.links.list': async (scene) => ({
    query: { product_id: String(await newPromoted(scene)) },
    user: scene.affiliate,
  }),
  'me.creatives.list': async (scene) => ({
    query: { product_id: String(await newPromoted(scene)) },
    user: scene.affiliate,
  }),
  'me.figures': ({ affiliate }) => ({ user: affiliate }),
  'me.rank': ({ affiliate }) => ({ user: affiliate }),
  'me.leaderboard': ({ affiliate }) => ({ user: affiliate }),
  'me.orders.list': () => ({}),
  'me.orders.get': ({ order }) => ({ params: { id: order } }),
  'me.orders.updateStatus': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
  'me.switchUser': ({ buyer }) => ({ body: { user_id: buyer } }),
  'me.switchBack': ({ store, administrator }) => ({ claims: store.switchedBy(administrator) }),
  'me.media.uploadImage': ({ order }) => ({
    body: { file: png(), purpose: 'proof', order_id: order },
  }),
  'media.upload': () => ({ body: { file: png() } }),
  'me.media.get': async (scene) => ({
    params: {
      key: await uploaded(scene, scene.buyer, { purpose: 'proof', order_id: scene.order }),
    },
  }),
  'media.get': async (scene) => ({
    params: { key: await uploaded(scene, scene.affiliate, { purpose: 'avatar' }) },
  }),
  'me.users.list': () => ({}),
  'me.users.get': ({ buyer }) => ({ params: { id: buyer } }),
  'me.users.update': async (scene) => ({
    params: { id: await scene.newUser() },
    body: { roles: ['affiliate'] },
  }),
  'me.users.revokeSessions': async (scene) => ({ params: { id: await scene.newUser() } }),
  'me.coupons.list': () => ({}),
  'me.coupons.create': () => ({ body: { code: newCode() } }),
  'me.licenseKeys.list': () => ({}),
  'me.licenses.list': () => ({}),
  'me.coupons.products': () => ({}),
};

let codes = 0;
const newCode = () => `MYCODE${++codes}`;

const newTemplate = async (scene: Scene) =>
  (await scene.create('/coupons', { code: newCode(), rule: { use_by_affiliate: true } })).id;

const png = () => new Blob([pictures.png]);

/**
 * Uploads a picture as a user.
 * @returns its key
 */
export async function uploaded(scene: Scene, user: number, fields: object): Promise<string> {
  const session = await scene.session(user);
  const reply = await session.post('/me/media/upload-image', formOf({ file: png(), ...fields }));
  return reply.body.data.key;
}
