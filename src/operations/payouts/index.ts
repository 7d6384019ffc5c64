export * from './cancel.ts';
export * from './create.ts';
export * from './list.ts';
