export * from './calculate.ts';
export * from './quote.ts';
