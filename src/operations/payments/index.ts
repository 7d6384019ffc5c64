export * from './callback.ts';
export * from './gateways.ts';
