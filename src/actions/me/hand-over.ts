import * as z from 'zod';
import { type Authority, SessionPrincipal } from '../../kernel/auth/principals.ts';
import type { SessionClaims } from '../../kernel/auth/session-token.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { issueToken } from '../sessions/issuing.ts';
import { sessionContext } from '../../domain/session/rules.ts';
import { SwitchedSession } from '../../domain/session/schemas.ts';
import type { UserRow } from '../../domain/user/rules.ts';

export const handOver = async (
  claims: SessionClaims,
  { user }: UserRow,
  authority: Authority,
  now: Date,
): Promise<z.input<typeof SwitchedSession>> =>
  one({
    ...(await issueToken(claims, user, authority, now)),
    session: sessionContext(new SessionPrincipal(claims)),
  });
