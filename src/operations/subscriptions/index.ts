export * from './cancel.ts';
export * from './get.ts';
export * from './list.ts';
export * from './pause.ts';
export * from './resume.ts';
export * from './update.ts';
