import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const keyErrors = {
  svc_key_ended: [409, 'This key was revoked or has expired. Create a new one.'],
} as const satisfies ErrorTable;
