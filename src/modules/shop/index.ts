import type { Module } from '../../kernel/endpoint/module.ts';
import { showHome } from './home.ts';
import { showProduct } from './product.ts';

/** Pages on which people buy from the store, pay and help themselves. */
export const shop: Module = {
  key: 'shop',
  name: 'Shop',
  description: 'Pages for buyers. An optional module.',
  endpoints: [],
  pages: [showHome, showProduct],
};
