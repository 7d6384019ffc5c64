export * from './create.ts';
export * from './delete.ts';
export * from './list.ts';
export * from './update.ts';
