import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const sessionErrors = {
  svc_session_switched: [409, 'You are already acting as another user. Switch back first.'],
  svc_session_not_switched: [400, 'This session is not acting as another user.'],
  rest_user_not_found: [404, 'No user has this id.'],
} as const satisfies ErrorTable;
