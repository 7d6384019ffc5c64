import { formOf } from '../../harness/client.ts';
import { pictures } from '../../lib/pictures.ts';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';
import { newPromoted } from './affiliates.ts';

export const me: Examples = {
  'me.get': () => ({}),
  'me.profile': () => ({ body: { first_name: `Bo ${crypto.randomUUID()}` } }),
  'me.affiliateCoupons': ({ affiliate }) => ({ user: affiliate }),
  'me.createAffiliateCoupon': async (scene) => ({
    body: { code: newCode(), coupon_parent_id: await newTemplate(scene) },
    user: scene.affiliate,
  }),
  'me.homeSummary': ({ affiliate }) => ({ user: affiliate }),
  'me.adminSummary': () => ({}),
  'me.commissionSummary': ({ affiliate }) => ({ user: affiliate }),
  'me.subscriptions': () => ({}),
  'me.access': () => ({}),
  'me.commissions': ({ affiliate }) => ({ user: affiliate }),
  'me.products': ({ affiliate }) => ({ user: affiliate }),
  'me.links': async (scene) => ({
    query: { product_id: String(await newPromoted(scene)) },
    user: scene.affiliate,
  }),
  'me.creatives': async (scene) => ({
    query: { product_id: String(await newPromoted(scene)) },
    user: scene.affiliate,
  }),
  'me.rank': ({ affiliate }) => ({ user: affiliate }),
  'me.leaderboard': ({ affiliate }) => ({ user: affiliate }),
  'me.orders': () => ({}),
  'me.order': ({ order }) => ({ params: { id: order } }),
  'me.orderStatus': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
  'me.switchUser': ({ buyer }) => ({ body: { user_id: buyer } }),
  'me.switchBack': ({ store, administrator }) => ({ claims: store.switchedBy(administrator) }),
  'me.uploadImage': ({ order }) => ({
    body: { file: png(), purpose: 'proof', order_id: order },
  }),
  'me.proof': async (scene) => ({
    params: {
      key: await uploaded(scene, scene.buyer, { purpose: 'proof', order_id: scene.order }),
    },
  }),
  'media.get': async (scene) => ({
    params: { key: await uploaded(scene, scene.affiliate, { purpose: 'avatar' }) },
  }),
  'me.users': () => ({}),
  'me.user': ({ buyer }) => ({ params: { id: buyer } }),
  'me.updateUser': async (scene) => ({
    params: { id: await scene.newUser() },
    body: { roles: ['affiliate'] },
  }),
  'me.revokeSessions': async (scene) => ({ params: { id: await scene.newUser() } }),
  'me.coupons': () => ({}),
  'me.createCoupon': () => ({ body: { code: newCode() } }),
  'me.licenses': () => ({}),
  'me.couponProducts': () => ({}),
};

let codes = 0;
const newCode = () => `MYCODE${++codes}`;

/** A coupon that affiliates may copy. */
const newTemplate = async (scene: Scene) =>
  (await scene.create('/coupons', { code: newCode(), rule: { use_by_affiliate: true } })).id;

const png = () => new Blob([pictures.png]);

/** The key of a picture that a user uploads. */
async function uploaded(scene: Scene, user: number, fields: object): Promise<string> {
  const session = await scene.session(user);
  const reply = await session.post('/me/media/upload-image', formOf({ file: png(), ...fields }));
  return reply.body.data.key;
}
