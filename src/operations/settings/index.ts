export * from './get.ts';
export * from './update.ts';
