export * from './about.ts';
export * from './healthz.ts';
export * from './jwks.ts';
export * from './readyz.ts';
