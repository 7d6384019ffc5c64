export * from './delete.ts';
export * from './list.ts';
