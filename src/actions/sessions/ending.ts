import type { Principal } from '../../kernel/auth/principals.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findUser } from '../../queries/users.ts';
import { sessionsRefusal } from '../../domain/user/rules.ts';
import { revokeSessionsOf } from '../../queries/user-sessions.ts';
import type { RevokedSessions } from '../../domain/session/schemas.ts';

import type * as z from 'zod';

export const endingErrors = ['rest_user_not_found', 'rest_forbidden'] as const;

export const endSessions = (
  db: WriteAccess<z.input<typeof RevokedSessions>>,
  user_id: number,
  principal: Principal,
  now: Date,
) =>
  db.change({
    load: { found: findUser(user_id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_user_not_found');
      return (
        sessionsRefusal(row.user, principal) ?? {
          write: [revokeSessionsOf(row.user, now)],
          reply: one({ user_id, revoked: true as const }),
        }
      );
    },
  });
