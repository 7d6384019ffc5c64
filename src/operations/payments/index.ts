export * from './callback.ts';
export * from './gateways.ts';
export * from './mutations.ts';
export * from './resolve-mutation.ts';
export * from './resolve-unexpected.ts';
export * from './unexpected.ts';
