import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const risks: Examples = {
  'risks.list': () => ({}),
  'risks.decide': async (scene) => ({
    params: { id: await newRisk(scene) },
    body: { decision: 'clear' },
  }),
};

/** An open risk: the buyer of an order has the bank account of its affiliate. */
async function newRisk(scene: Scene): Promise<number> {
  const product_id = await scene.newProduct({
    affiliate: { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] },
  });
  const bank_info = `BCA ${product_id}000`;
  const affiliate_id = await scene.newUser({ bank_info, roles: ['member', 'affiliate'] });
  const user_id = await scene.newUser({ bank_info });
  await scene.newOrder({ product_id, user_id, affiliate_id });
  const { body } = await scene.api.get(`/risks?affiliate_id=${affiliate_id}`);
  return body.data[0].id;
}
