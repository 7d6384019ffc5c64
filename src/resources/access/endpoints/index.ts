export * from './checks.ts';
export * from './content.ts';
export * from './grants.ts';
export * from './products.ts';
