import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const modules: Examples = {
  'eddSl.answer': () => ({ query: { edd_action: 'get_version' }, trips: 0 }),
  'eddSl.answerByQuery': () => ({ query: { edd_action: 'get_version' }, trips: 0 }),
  'slm.answer': () => ({ query: { slm_action: 'slm_check' }, trips: 0 }),
  'slm.answerByQuery': () => ({ query: { slm_action: 'slm_check' }, trips: 0 }),
  'mcp.message': () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: () => ({ 'mcp-protocol-version': '2025-11-25' }),
  }),
  'me.wishlist.list': () => ({}),
  'me.wishlist.add': async (scene) => ({ body: { product_id: await scene.newProduct() } }),
  'me.wishlist.remove': async (scene) => ({ params: { id: await newWish(scene) } }),
  'me.wishlist.popular': async (scene) => ({
    user: await scene.newManager(),
  }),
};

async function newWish(scene: Scene): Promise<number> {
  const session = await scene.session(scene.buyer);
  const reply = await session.post('/me/wishlist', { product_id: await scene.newProduct() });
  return reply.body.data.id;
}
