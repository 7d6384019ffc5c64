import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const consoleErrors = {
  svc_console_link_invalid: [
    401,
    'This link was used already, is older than ten minutes, or is not one of this store.',
  ],
} as const satisfies ErrorTable;
