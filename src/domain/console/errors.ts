import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const consoleErrors = {
  svc_console_link_invalid: [
    401,
    'This link has been used, is older than ten minutes, or belongs to another store.',
  ],
} as const satisfies ErrorTable;
