export * from './links-look.ts';
export * from './session-create.ts';
export * from './session-delete.ts';
export * from './session-get.ts';
export * from './sessions-delete.ts';
export * from './sessions-list.ts';
export * from './setup-check.ts';
export * from './setup-get.ts';
