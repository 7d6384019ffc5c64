export * from './feed.ts';
export * from './sink.ts';
