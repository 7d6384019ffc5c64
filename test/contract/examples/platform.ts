import type { Examples } from '../examples.ts';

export const platform: Examples = {
  'audit.list': () => ({}),
  'platform.about': () => ({ trips: 0 }),
  'platform.healthz': () => ({ trips: 0 }),
  'platform.readyz': () => ({}),
  'status.get': () => ({}),
  'platform.jwks': () => ({ trips: 0 }),
  'me.settings.get': () => ({}),
  'me.settings.update': () => ({ body: { store_name: `Store ${crypto.randomUUID()}` } }),
};
