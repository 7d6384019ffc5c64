export * from './create.ts';
export * from './delete.ts';
export * from './get.ts';
export * from './list.ts';
export * from './proof.ts';
export * from './review.ts';
