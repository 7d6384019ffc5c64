import type * as z from 'zod';
import type { SessionPrincipal } from '../../kernel/auth/principals.ts';
import { MAX_SWITCHED_SECONDS, type SessionClaims } from '../../kernel/auth/session-token.ts';
import type { SessionContext } from './schemas.ts';

export interface NewSession {
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly issuer: string;
  readonly audience: string;
  readonly provider: string;
  readonly providerUserId: string;
  /** Seconds. */
  readonly lifetime: number;
  /** Seconds since 1970. Sessions from before were revoked. */
  readonly notBefore: number;
  /** Ids of the session and its token: UUIDs. */
  readonly sid: string;
  readonly jti: string;
  readonly now: Date;
}

export function newClaims(session: NewSession): SessionClaims {
  const seconds = Math.max(Math.floor(session.now.getTime() / 1000), session.notBefore);
  return {
    iss: session.issuer,
    aud: session.audience,
    sub: String(session.userId),
    sid: session.sid,
    jti: session.jti,
    iat: seconds,
    nbf: seconds,
    exp: seconds + session.lifetime,
    provider: session.provider,
    provider_user_id: session.providerUserId,
    admin: session.isAdmin,
  };
}

/**
 * An administrator acts as the user of `granted`, in a session of its own that ends with the administrator's at the
 * latest.
 */
export function actingAs(granted: SessionClaims, own: SessionClaims): SessionClaims {
  const { sub, sid, iat, exp, provider_user_id } = own;
  return {
    ...granted,
    exp: Math.min(granted.exp, granted.iat + MAX_SWITCHED_SECONDS, exp),
    act: { sub, sid, iat, exp, provider_user_id },
  };
}

/** Returns to the session before a switch. The session keeps its end. */
export const switchedBack = (
  { iss, aud, provider }: SessionClaims,
  { sub, sid, iat, exp, provider_user_id }: NonNullable<SessionClaims['act']>,
  jti: string,
): SessionClaims => ({
  iss,
  aud,
  sub,
  sid,
  jti,
  iat,
  nbf: iat,
  exp,
  provider,
  provider_user_id,
  admin: true,
});

export function sessionContext({
  claims,
  userId,
  actorId,
}: SessionPrincipal): z.output<typeof SessionContext> {
  return {
    user_id: userId,
    effective_user_id: userId,
    switched: actorId !== null,
    actor_user_id: actorId,
    provider: claims.provider,
    provider_user_id: claims.provider_user_id,
    issued_at: new Date(claims.iat * 1000).toISOString(),
    expires_at: new Date(claims.exp * 1000).toISOString(),
  };
}
