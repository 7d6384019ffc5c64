import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const consoleErrors = {
  svc_console_link_invalid: [
    401,
    'This link has been used, is older than ten minutes, or belongs to another store.',
  ],
  svc_console_code_invalid: [
    409,
    'This code is wrong, was used already, or is older than ten minutes. Have another one sent.',
  ],
  svc_console_mail_limit: [
    409,
    'As many were sent within an hour as may be. Those of the last ten minutes still hold.',
  ],
} as const satisfies ErrorTable;
