export * from './create.ts';
export * from './list.ts';
