export * from './create.ts';
export * from './list.ts';
export * from './list-all.ts';
export * from './resolve.ts';
