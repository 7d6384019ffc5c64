export * from './create.ts';
export * from './revoke-all.ts';
export * from './revoke.ts';
