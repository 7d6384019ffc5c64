export * from './delete.ts';
export * from './get.ts';
export * from './list.ts';
export * from './update.ts';
