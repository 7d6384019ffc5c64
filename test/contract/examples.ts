import type { Scene } from './scene.ts';

/** A request that an endpoint answers with success. */
export interface Example {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Whose session calls, where it isn't the scene's buyer or, for admin(), its administrator. */
  user?: number;
  /** Trips it takes, where it isn't 1 to read or 2 at most to write. */
  trips?: number;
}

/**
 * A minimal working request for each endpoint, by the endpoint's id; arranged anew at each call, so
 * that a write finds a record of its own.
 */
export const examples: Readonly<Record<string, (scene: Scene) => Example | Promise<Example>>> = {
  'platform.index': () => ({ trips: 0 }),
  'platform.healthz': () => ({ trips: 0 }),
  'platform.readyz': () => ({}),
  'platform.jwks': () => ({ trips: 0 }),

  'sessions.create': ({ buyer }) => ({ body: { user_id: buyer } }),

  'me.get': () => ({}),
  'me.orders': () => ({}),
  'me.order': async (scene) => ({ params: { id: await scene.newOrder() } }),

  'users.list': () => ({}),
  'users.lookup': ({ buyer }) => ({ query: { id: String(buyer) } }),
  'users.get': ({ buyer }) => ({ params: { id: buyer } }),
  'users.create': (scene) => ({ body: { email: scene.newEmail() } }),
  'users.update': async (scene) => ({
    params: { id: await scene.newUser() },
    body: { first_name: 'Bo' },
  }),
  'users.delete': async (scene) => ({ params: { id: await scene.newUser() } }),

  'products.list': () => ({}),
  'products.get': async (scene) => ({ params: { id: await scene.newProduct() } }),
  'products.variants': async (scene) => ({ params: { id: await scene.newProduct() } }),
  'products.shippingOptions': async (scene) => ({ params: { id: await scene.newProduct() } }),
  'products.create': () => ({ body: { title: 'Course', price: 15_000 } }),
  'products.update': async (scene) => ({
    params: { id: await scene.newProduct() },
    body: { price: 20_000 },
  }),
  'products.delete': async (scene) => ({ params: { id: await scene.newProduct() } }),

  'orders.list': () => ({}),
  'orders.get': async (scene) => ({ params: { id: await scene.newOrder() } }),
  'orders.create': async (scene) => ({
    body: { product_id: await scene.newProduct(), user_id: scene.buyer },
  }),
  'orders.update': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
  'orders.delete': async (scene) => ({ params: { id: await scene.newOrder() } }),
};
