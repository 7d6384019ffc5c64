import type * as z from 'zod';
import type { Principal } from '../../auth/principals.ts';
import type { WriteAccess } from '../../http/endpoint.ts';
import { one } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { findUser } from '../users/queries.ts';
import { sessionsRefusal } from '../users/rules.ts';
import { revokeSessionsOf } from './queries.ts';
import type { RevokedSessions } from './schemas.ts';

/** Errors of ending the sessions of a user. */
export const endingErrors = ['rest_user_not_found', 'rest_forbidden'] as const;

/** Ends every session of a user. */
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
