import type { Examples } from '../examples.ts';

export const products: Examples = {
  'products.list': () => ({}),
  'products.figures': () => ({ query: { date_start: '2026-01-01', date_end: '2026-12-31' } }),
  'products.get': ({ product }) => ({ params: { id: product } }),
  'products.variants': ({ product }) => ({ params: { id: product } }),
  'products.shippingOptions': ({ product }) => ({ params: { id: product } }),
  'products.create': () => ({ body: { title: 'Course', price: 15_000 } }),
  'products.update': async (scene) => ({
    params: { id: await scene.newProduct() },
    body: { price: 20_000 },
  }),
  'products.delete': async (scene) => ({ params: { id: await scene.newProduct() } }),
};
