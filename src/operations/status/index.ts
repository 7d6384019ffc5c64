export * from './get.ts';
