import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const consoleErrors = {
  svc_console_link_invalid: [
    401,
    'This link has been used, is older than ten minutes, or belongs to another store.',
  ],
  svc_console_code_invalid: [
    409,
    'This code is wrong, was used already, or is older than ten minutes. Ask for another one.',
  ],
  svc_console_mail_limit: [
    409,
    'Too many e-mails were sent within the last hour. Those of the last ten minutes still work.',
  ],
} as const satisfies ErrorTable;
