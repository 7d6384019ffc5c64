import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const affiliates: Examples = {
  'affiliates.lookup': ({ affiliate }) => ({ query: { id: String(affiliate) } }),
  'affiliates.leaderboard': () => ({}),
  'affiliates.figures': ({ affiliate }) => ({ params: { affiliate_id: affiliate } }),
  'affiliates.rank': ({ affiliate }) => ({ params: { affiliate_id: affiliate } }),
  'affiliates.commissionInfo': ({ affiliate }) => ({ params: { affiliate_id: affiliate } }),
  'affiliates.products': ({ affiliate }) => ({ params: { affiliate_id: affiliate } }),
  'affiliates.links': ({ affiliate }) => ({ params: { affiliate_id: affiliate } }),
  'affiliates.link': async (scene) => ({
    params: { affiliate_id: scene.affiliate },
    query: { product_id: String(await newPromoted(scene)) },
  }),
  'affiliates.creatives': async (scene) => ({
    params: { affiliate_id: scene.affiliate },
    query: { product_id: String(await newPromoted(scene)) },
  }),
  'affiliates.click': async (scene) => ({
    params: {
      affiliate: scene.affiliate,
      product: await newPromoted(scene),
      target: 'sales-page',
    },
    headers: () => ({ 'user-agent': 'Mozilla/5.0' }),
  }),
};

export const newPromoted = (scene: Scene) =>
  scene.newProduct({
    affiliate: { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] },
  });
