import type { Module } from '../module.ts';
import * as endpoints from './endpoints.ts';

/** Members note what they would like to have; the store sees what is wished for most. */
export const wishlist: Module = {
  key: 'wishlist',
  name: 'Wishlist',
  description: 'What members would like to have. An optional module.',
  endpoints: Object.values(endpoints),
};
