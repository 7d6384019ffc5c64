import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const userErrors = {
  rest_ambiguous: [409, 'More than one user matches. Look up by id or e-mail.'],
  rest_upline_cycle: [409, 'The sponsor must not be below the user in the tree.'],
  user_email_exists: [409, 'Another user has this e-mail address.'],
  user_external_id_exists: [409, 'Another user has this external id.'],
  last_administrator: [409, 'This is the only administrator. Appoint another one first.'],
} as const satisfies ErrorTable;
