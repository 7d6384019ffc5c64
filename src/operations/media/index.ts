export * from './get.ts';
export * from './upload.ts';
