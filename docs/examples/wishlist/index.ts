import type { Module } from '../../../src/kernel/endpoint/module.ts';
import { addWish } from './add.ts';
import { listOwnWishes } from './list.ts';
import { listMostWished } from './popular.ts';
import { takeWishBack } from './remove.ts';

/** Members note what they would like to have; the store sees what is wished for most. */
export const wishlist: Module = {
  key: 'wishlist',
  name: 'Wishlist',
  description: 'Products members would like to have. An optional module.',
  endpoints: [addWish, listOwnWishes, listMostWished, takeWishBack],
};
