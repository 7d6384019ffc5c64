export * from './get.ts';
export * from './list.ts';
export * from './preview.ts';
export * from './test.ts';
export * from './update.ts';
