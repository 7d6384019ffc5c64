export * from './create.ts';
export * from './get.ts';
export * from './list.ts';
export * from './revoke.ts';
export * from './rotate.ts';
export * from './update.ts';
export * from './use.ts';
